// Ends a session in time: without a hello, when its client is silent, and when its token expires.
//
// Thread contract: the loop's thread.
#pragma once

#include <cstdint>
#include <memory>

#include "gateway/net/loop.h"

namespace parley::gateway {

struct SessionPieces;

class SessionTimers {
 public:
  explicit SessionTimers(SessionPieces& pieces) : s_(pieces) {}

  // Closes the session unless its hello is received in time.
  void AwaitHello();
  void NoteHello() { hello_.reset(); }
  void NoteReceived();
  // Begins heartbeats, and announces and enforces the token's expiry. REQUIRES: the client is authenticated.
  void Start();
  void NoteRefreshed();  // the token was replaced
  void Stop();

  // Uses the wall clock, which may be set after the timer was; so requests check, too.
  bool HasExpired() const;
  void CloseExpired();

 private:
  void ArmHeartbeat();
  void OnHeartbeat();
  void ArmExpiry();
  void OnExpiry();

  SessionPieces& s_;
  int64_t last_received_ms_ = 0;
  std::unique_ptr<Timer> hello_, heartbeat_, expiry_;
  bool expiry_announced_ = false;
};

}  // namespace parley::gateway
