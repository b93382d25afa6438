// Handles one HTTP/1.1 connection, kept open between requests, from accept to its end or its upgrade.
//
// It handles one request at a time. Input that a peer sends ahead (pipelining) stays in the kernel, except
// for the rest of one read, until the answer is queued and most of it has left: so a peer that sends without
// reading costs no more than one answer, and a peer that sends much ahead does not block the loop.
//
// Deadlines: handshake_timeout_ms for TLS and a head; the same between two pieces of a body, whose average
// pace is bounded too; http_idle_timeout_ms between requests; handshake_timeout_ms between two signs that an
// answer is being read.
//
// http_connection.cc reads and dispatches, http_answering.cc answers.
//
// Threads: the loop's.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gateway/net/answer_stream.h"
#include "gateway/net/deadline.h"
#include "gateway/net/http_reader.h"
#include "gateway/net/socket.h"
#include "gateway/net/transport.h"

namespace parley::gateway {

class HttpConnection;

// State shared by the HTTP connections of a transport.
struct HttpContext {
  SocketPool* pool = nullptr;
  const TransportSettings* settings = nullptr;
  TransportHandler* handler = nullptr;
  bool keeps_alive = true;  // false in a drain
  // Returns true, and counts the connection there, if a WebSocket from this address, which a proxy reported,
  // may be held.
  std::function<bool(const HttpConnection* from, const std::string& address)> may_hold;
  // Hands the connection to the WebSocket side; websocketpp reads `handshake` first.
  std::function<void(HttpConnection* from, UpgradeDecision decision, std::string handshake)> on_upgrade;
};

class HttpConnection final : public Socket {
 public:
  struct Peer {
    uint64_t id = 0;
    std::string address;
    bool is_proxy = false;  // a trusted one
    bool admin = false;     // it came from the operators' own listener
  };

  HttpConnection(const HttpContext* context, Peer peer);
  ~HttpConnection() override;

  uint64_t id() const { return peer_.id; }
  const std::string& address() const { return address_; }  // the last request's

  void Start();                         // REQUIRES: attached
  void Respond(HttpResponse response);  // to the dispatched request
  void RespondRefusal(int status);      // the same, with a refusal of the transport
  void PauseBody(bool pause);           // the body of that request

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
  // The facts about the present request that are needed until its answer is queued.
  struct Current {
    std::string method, trace;
    int64_t since_us = 0;
    uint64_t bytes_in = 0, bytes_out = 0;
    bool is_head = false;
    bool is_http_1_1 = true;
    bool keeps_alive = false;
    bool prefers_gzip = false;
    bool sent_continue = false;
    std::string route, corr_id;  // the answer's, like its status
    int status = 0;
  };

  void JudgeHead();
  void JudgeUpgrade();
  void JudgeLargeBody();
  TransportHandler::Judged OnceJudged(std::function<void()> go_on);  // goes on unless it is refused
  void AllowBody(BodyArrival arrival);
  BodyArrival Arrival();
  void EvictBody(uint64_t body);
  void BeginPieces();
  void GoOn();  // according to the reader's state
  void AwaitBody();
  void EndPieces();
  bool AbandonPieces();
  void Dispatch();
  void Upgrade();
  void Refuse(int status);
  HttpRequest Described(RequestHead head, std::string body);
  void PaceBody();
  void OnLate();

  HttpResponse Affordable(HttpResponse response) const;
  bool Compress(HttpResponse* response);  // true: it is sent later
  void Send(HttpResponse response, bool keeps_alive);
  void Queue(std::string wire);
  void Stream(HttpResponse response);
  void Pull();
  void OnPiece(BodyPiece piece);
  void EndAnswer();
  void AwaitRequest();
  void ExpectProgress();
  void OnNoProgress();

  const HttpContext* const context_;
  const Peer peer_;
  std::string address_;
  HttpReader reader_;
  Deadline deadline_;         // the request's, or until the next one
  Deadline progress_;         // the answer's
  int answers_ = 0;           // in this turn of the loop
  uint64_t progress_at_ = 0;  // done_bytes() when progress_ was set
  Current now_;
  uint64_t bodies_ = 0;                     // bodies allowed so far, including the present one
  int64_t body_since_ms_ = 0;               // when the body was first awaited, excluding pauses
  int64_t paused_at_ms_ = 0;                // set while the body is paused
  std::unique_ptr<BodyReceiver> receiver_;  // for a body in pieces, until its end
  std::unique_ptr<AnswerStream> stream_;    // for an answer in pieces, until its end
  bool idle_ = false;                       // between two requests
  bool awaits_answer_ = false;
  bool stays_ = false;       // keep open after the present answer
  bool wants_next_ = false;  // read on once enough of the answers has left
  bool closing_ = false;     // close once all output has left
};

}  // namespace parley::gateway
