// Authenticates a session's client and answers its hello; refreshes the token later.
//
// Only session.hello is accepted first, and nothing else until it is answered; any refusal ends the session.
// Thread contract: the loop's thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gateway/app/authenticator.h"
#include "gateway/ops/router.h"
#include "gateway/ws/catch_up.h"
#include "gateway/ws/ws_request.h"
#include "protocol/ops/session.h"

namespace parley::gateway {

struct SessionPieces;

// The client as the upgrade describes it: the credential of the Authorization header, and the origin of the
// page if it is foreign. Both may be empty.
struct Visitor {
  std::string credential = {};
  std::string origin = {};
};

class Handshake {
 public:
  Handshake(SessionPieces& pieces, Visitor visitor) : s_(pieces), visitor_(std::move(visitor)) {}

  // Handles the first request.
  void Begin(const WsRequest& request);
  // The connection is gone: checks the credential again, for the requests received before, by a read that
  // does not end with the connection. REQUIRES: checking().
  void CheckWithoutConnection() { CheckCredential({}, nullptr); }
  // Gives up a hello that is not answered yet. Returns true if its client was authenticated.
  bool Abandon();

  bool under_way() const { return under_way_; }
  bool checking() const { return checking_; }

  void Refresh(const protocol::SessionRefresh::Args& args, const Done& done);

 private:
  using Hello = std::shared_ptr<const protocol::SessionHello::Args>;
  void Refuse(const Ticket& ticket, const protocol::Error& error);  // and closes
  void CheckCredential(const Ticket& ticket, const Hello& hello);
  void OnChecked(const Ticket& ticket, const Hello& hello, protocol::Result<Identity> checked);
  void OnCheckedWithoutConnection(protocol::Result<Identity> checked);
  void JudgeResume(const Ticket& ticket, const Hello& hello);
  void Complete(const Ticket& ticket, const Hello& hello, CatchUp::Judgement judgement);
  void Accept(const protocol::SessionHello::Args& hello, CatchUp catch_up);
  std::string Reply(protocol::Dictionary<protocol::ResumeVerdict> resumed) const;
  Knock KnockWith(const std::string& credential) const;
  void TakeIdentity(Identity identity);
  void ReplaceIdentity(Identity identity, const Done& done);

  SessionPieces& s_;
  Visitor visitor_;
  uint64_t checked_at_ = 0;        // IoThread::revocations when the check began
  bool under_way_ = false;         // session.hello was received and not answered yet
  bool checking_ = false;          // the credential is being checked
  std::optional<bool> safe_mode_;  // as the hello says
};

}  // namespace parley::gateway
