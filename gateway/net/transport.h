// Defines the interface to the network. All code that uses websocketpp and asio implements it (as C++17; this
// header is valid C++17 too). It knows neither sessions nor the protocol.
//
// Threads: one loop, one thread; a server with several I/O threads has a transport for each, listening on the
//          same port. Every handler call happens on the loop's thread, and every method of Connection,
//          HttpExchange and Transport is called on it, except Loop::Post, Transport::RequestStop and Counts.
// Bounds:  a frame of more than max_frame_bytes closes with 1009 before it is buffered; a declared length
//          is never trusted for memory; a connection that sends no complete head of a request within
//          handshake_timeout_ms, or its body too slowly, is dropped; at most max_connections connections are
//          held (by all transports that share a budget), the rest are refused without spinning.
// HTTP:    connections are kept open and requests may be pipelined: one at a time is handled, and the next is
//          read when its answer is queued. Bodies are handed over whole, or in pieces if the handler asks for
//          them; so are answers (http.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gateway/net/body_budget.h"
#include "gateway/net/connection_budget.h"
#include "gateway/net/http.h"
#include "gateway/net/loop.h"
#include "gateway/net/reader_budget.h"
#include "gateway/net/tls_identity.h"

namespace parley::gateway {

class Compressor;
class TrustedProxies;

struct TransportSettings {
  std::string host = "127.0.0.1";
  uint16_t port = 0;        // 0 picks a free one
  bool share_port = false;  // other transports of this process listen on it too (SO_REUSEPORT)
  size_t max_frame_bytes = 256 * 1024;
  size_t max_http_body_bytes = 256 * 1024;
  size_t max_connections = 20'000;
  size_t max_connections_per_address = 256;
  std::shared_ptr<ConnectionBudget> budget;  // null: the transport's own
  std::shared_ptr<ReaderBudget> readers;     // null: no bound on the total held for readers
  std::shared_ptr<BodyBudget> bodies;        // null: no bound on the total of request bodies
  size_t descriptor_reserve = 64;            // file descriptors left to the rest of the process
  bool exempt_loopback = false;              // loopback addresses are exempt from max_connections_per_address
  int64_t handshake_timeout_ms = 10'000;
  int64_t http_idle_timeout_ms = 60'000;  // between an answer and the next request
  int64_t close_timeout_ms = 5'000;       // for the peer's answer to our close frame
  int64_t accept_retry_ms = 250;          // how long peers wait after a failed accept
  size_t read_buffer_bytes = 4096;
  bool io_uring = true;  // write to many connections with one system call, if the kernel allows it
  // TLS is used if this is set, or if both files are, from which it is then loaded.
  std::shared_ptr<TlsIdentity> tls;
  std::string tls_certificate;
  std::string tls_key;
  std::shared_ptr<const TrustedProxies> proxies;  // null: no X-Forwarded-For is trusted
  std::shared_ptr<Compressor> compressor;         // null: large answers are not compressed
  // A second listener whose requests are marked `admin`; empty: none. Its few connections do not count
  // against max_connections.
  std::string admin_host;
  uint16_t admin_port = 0;
};

// Bytes shared by every recipient: one frame, or several. A payload is framed once (a "prepared message") for
// any number of connections.
class SharedFrame;
using SharedFramePtr = std::shared_ptr<const SharedFrame>;

class Connection {
 public:
  virtual ~Connection() = default;
  virtual uint64_t id() const = 0;                     // unique in this process
  virtual const std::string& address() const = 0;      // the peer's, without port; like HttpRequest's
  virtual void Send(const SharedFramePtr& frame) = 0;  // ignored once closing
  // Bytes given to Send that have not reached the kernel, including those inside TLS.
  virtual size_t BufferedBytes() const = 0;
  virtual void Ping() = 0;
  // Stops (true) or resumes (false) reading from the peer. OnFrame is not called while paused.
  virtual void PauseReading(bool pause) = 0;
  // Sends the queue, then a close frame; the connection ends when the peer answers or close_timeout_ms
  // passes. `discard` first drops the queue (for a peer that does not read).
  virtual void Close(uint16_t code, const std::string& reason, bool discard = false) = 0;
  // Call after OnInputEnd, once everything that the peer sent has been processed: sends the queue, then
  // answers the peer's close. Ignored before.
  virtual void AnswerEnd() = 0;
};

// Receives a WebSocket's input. Owned by the transport from OnUpgrade until after OnClosed.
class ConnectionHandler {
 public:
  virtual ~ConnectionHandler() = default;
  virtual void OnOpen(Connection* connection) = 0;  // valid until OnClosed returns
  virtual void OnFrame(std::string payload, bool binary) = 0;
  virtual void OnPong() = 0;      // a pong, or a ping (already answered): the peer is alive
  virtual void OnWritable() = 0;  // BufferedBytes() fell to zero after having been above it
  // The readers' budget is used up, and this slow reader has the most queued. The session must close
  // its connection and discard the queue; otherwise the connection is cut.
  virtual void OnTooSlow() = 0;
  // The peer sends no more: it sent a close frame, broke the framing, or ended its stream.
  // Connection::AnswerEnd answers it, so that a clean close means that everything before it was processed. If
  // it is not answered within close_timeout_ms, the connection is dropped. Called at most once; OnFrame is
  // not called after it.
  virtual void OnInputEnd() = 0;
  // The connection is gone. All input accepted before was given to OnFrame.
  virtual void OnClosed() = 0;
};

struct UpgradeDecision {
  HttpResponse refusal;                        // sent if `handler` is null
  std::string subprotocol;                     // selected; empty: none
  std::unique_ptr<ConnectionHandler> handler;  // accepts the upgrade
};

class TransportHandler {
 public:
  virtual ~TransportHandler() = default;
  // JudgeUpgrade, which may take its time, and then OnUpgrade receive each valid RFC 6455 version-13 upgrade
  // request (others are refused with 426). `offered` are the subprotocols that it names.
  using Judged = std::function<void(std::optional<HttpResponse> refusal)>;
  virtual void JudgeUpgrade(const HttpRequestHead& /*head*/, const std::string& /*address*/, Judged then) {
    then(std::nullopt);
  }
  virtual UpgradeDecision OnUpgrade(const HttpRequest& request, const std::vector<std::string>& offered) = 0;
  virtual void OnHttp(std::shared_ptr<HttpExchange> exchange) = 0;
  // Returns the largest body that this request may have, before any byte of it is kept. `usual`:
  // max_http_body_bytes.
  virtual size_t BodyLimit(const HttpRequestHead& /*head*/, size_t usual) { return usual; }
  // Called before more than kSmallBodyBytes of a body are taken: passes a refusal if the credential is bad.
  // `then` is called once, on the loop, at once or later; the peer waits.
  virtual void JudgeLargeBody(const HttpRequestHead& /*head*/, const std::string& /*address*/, Judged then) {
    then(std::nullopt);
  }
  // Returns true if the request's body, within its limit, is wanted in pieces: then OnHttpInPieces is called
  // instead of OnHttp, as soon as the head is complete. The exchange's request has no body. Null: it was
  // answered.
  virtual bool TakesPieces(const HttpRequestHead& /*head*/) { return false; }
  virtual std::unique_ptr<BodyReceiver> OnHttpInPieces(std::shared_ptr<HttpExchange> /*exchange*/) {
    return nullptr;
  }
  // The transport rejects a request that is malformed or too large, with a status and a plain text. The
  // return value is sent instead.
  virtual HttpResponse OnRefused(HttpResponse plain) { return plain; }
  // The answer to a plain request, or a refusal, is completely queued.
  virtual void OnAnswered(const HttpAnswered& /*answered*/) {}
};

struct TransportCounts {
  uint64_t accepted = 0;         // connections accepted since start
  uint64_t refused_full = 0;     // over max_connections, or only reserved descriptors left
  uint64_t refused_address = 0;  // over max_connections_per_address
  uint64_t accept_errors = 0;    // accept failed (no descriptor at all): new peers wait in the backlog
  uint64_t bytes_in = 0;         // as read and written, inside TLS
  uint64_t bytes_out = 0;
  uint64_t writes = 0;          // to sockets: the output of one turn should take one
  uint64_t batched = 0;         // writes made together with others in one system call
  uint64_t evicted = 0;         // connections dropped because the readers' budget was used up
  size_t open = 0;              // held now, by all transports that share the budget
  size_t body_bytes = 0;        // held for request bodies; also for all
  uint64_t bodies_evicted = 0;  // bodies that came too slowly while others waited for room; also for all
  int64_t tls_expires_s = 0;    // when the certificate expires, in Unix time; 0 without TLS
};

class Transport : public Loop {
 public:
  // Binds and listens. Returns "" on success, else a sentence for a person. port() is known afterwards.
  virtual std::string Listen(const TransportSettings& settings, TransportHandler* handler) = 0;
  virtual uint16_t port() const = 0;
  virtual uint16_t admin_port() const { return 0; }  // 0: no such listener
  virtual void StopAccepting() = 0;                  // existing connections continue
  // For a drain: from now on each HTTP connection closes after the answer to its request, and idle ones at
  // once.
  virtual void StopKeepingAlive() = 0;
  // Runs on the calling thread until RequestStop, then drops open connections.
  virtual void Run() = 0;
  virtual void RequestStop() = 0;  // from any thread, or a signal-safe context through Loop::Post
  virtual void OnSignals(std::function<void(int)> handler) = 0;  // SIGTERM, SIGINT, SIGHUP; on the loop
  // Called once per turn of the loop after its handlers ran: the place to flush their output.
  virtual void OnTurnEnd(std::function<void()> flush) = 0;
  virtual TransportCounts Counts() const = 0;
  // Frees `bytes` held for readers, or as many as possible: drops connections for which the kernel accepts no
  // more output, beginning with the one that holds the most.
  virtual void Relieve(size_t bytes) = 0;
};

// The frame counts against `readers`, if given, for its lifetime. A large payload is not copied.
SharedFramePtr MakeFrame(std::string_view start, std::string rest, bool binary,
                         std::shared_ptr<ReaderBudget> readers = {});
inline SharedFramePtr MakeFrame(std::string payload, bool binary,
                                std::shared_ptr<ReaderBudget> readers = {}) {
  return MakeFrame(std::string_view(), std::move(payload), binary, std::move(readers));
}
// Encodes consecutive frames in one buffer.
SharedFramePtr MakeFrames(const std::string* payloads, size_t count, bool binary,
                          std::shared_ptr<ReaderBudget> readers = {});
size_t FrameBytes(const SharedFrame& frame);  // on the wire, including headers

std::unique_ptr<Transport> NewTransport();

}  // namespace parley::gateway
