// One connection that speaks HTTP/1.1, kept open between requests, from accept to its end or to an upgrade.
//
// One request at a time is handled. What a peer sends ahead (pipelining) stays where it is, in the kernel but
// for the rest of one read, until the answer is queued and most of it has left: so a peer that asks without
// reading costs what one answer costs. Nor does a peer that sends much ahead keep the loop from the others.
//
// Deadlines: handshake_timeout_ms for TLS and a head, as much and a time for its length for a body,
// http_idle_timeout_ms between requests, handshake_timeout_ms between two signs that an answer is being read.
//
// Threads: the loop's.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gateway/net/deadline.h"
#include "gateway/net/http_reader.h"
#include "gateway/net/socket.h"
#include "gateway/net/transport.h"

namespace parley::gateway {

class HttpConnection;

// What the HTTP connections of a transport share.
struct HttpContext {
  SocketPool* pool = nullptr;
  const TransportSettings* settings = nullptr;
  TransportHandler* handler = nullptr;
  bool keeps_alive = true;  // false in a drain
  // Hands the connection over to the WebSocket side; `handshake` is for websocketpp to read first.
  std::function<void(HttpConnection* from, UpgradeDecision decision, std::string handshake)> on_upgrade;
};

class HttpConnection final : public Socket {
 public:
  HttpConnection(const HttpContext* context, uint64_t id, std::string address);

  uint64_t id() const { return id_; }
  const std::string& address() const { return address_; }

  void Start();                         // REQUIRES: attached
  void Respond(HttpResponse response);  // to the request that was given to OnHttp

  void Drop() override;
  void Evict() override;
  void EndWhenIdle() override;

 protected:
  void OnReady() override { WantInput(); }
  size_t OnInput(const char* data, size_t size) override;
  bool OnResume() override { return true; }
  void OnFlushed() override;
  void OnInputEnd() override;
  void OnBroken() override;

 private:
  void JudgeHead();
  void JudgeUpgrade();
  void GoOn();  // according to where the reader stopped
  void Dispatch();
  void Upgrade();
  void Refuse(int status);
  HttpResponse Affordable(HttpResponse response) const;
  void Send(HttpResponse response, bool keeps_alive);
  void AwaitRequest();
  void OnLate();
  void ExpectProgress();
  void OnNoProgress();

  const HttpContext* const context_;
  const uint64_t id_;
  const std::string address_;
  HttpReader reader_;
  Deadline deadline_;         // of the request, or until the next one
  Deadline progress_;         // of the answer
  int answers_ = 0;           // in this turn of the loop
  uint64_t progress_at_ = 0;  // done_bytes() when it was set
  bool idle_ = false;         // between two requests
  bool is_head_ = false;      // of the request being handled, from here on
  bool is_http_1_1_ = true;
  bool keeps_alive_ = false;
  bool awaits_answer_ = false;
  bool told_to_continue_ = false;
  bool wants_next_ = false;  // as soon as enough of the answers has left
  bool closing_ = false;     // as soon as all of it has
};

}  // namespace parley::gateway
