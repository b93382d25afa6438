// Requests and answers of HTTP as handlers see them: whole, or with bodies in pieces. Valid C++17.
//
// Thread contract: plain values, and interfaces that are called and called back on the loop's thread.
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

namespace parley::gateway {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;
struct HttpRequestHead {
  std::string method;
  std::string target;  // path and query as sent
  HttpHeaders headers;
  const std::string* Header(std::string_view name) const;  // case-insensitive; nullptr when missing
};
struct HttpRequest {
  std::string method;
  std::string target;
  std::string body;
  std::string address;  // the peer's; behind a trusted proxy, of whom it speaks for
  HttpHeaders headers;
  bool admin = false;  // it came by the operators' own listener
  const std::string* Header(std::string_view name) const;
};

struct BodyPiece {
  enum class Then {
    kMore,
    kLast,
    kFailed
  };  // kFailed: the connection is cut, so that nobody takes it for whole
  std::string bytes;
  Then then = Then::kMore;
};

// The body of an answer, made while it is sent.
class BodySource {
 public:
  // When everything was sent, and when the peer has gone.
  virtual ~BodySource() = default;
  // Wants the next piece: the one before has left. `give` is called once, on the loop, at once or later; a
  // piece should have some 64 KiB. Calls of a `give` that is wanted no more do nothing.
  virtual void Next(std::function<void(BodyPiece)> give) = 0;
};

struct HttpResponse {
  int status = 200;
  // Content-Length is added; "Connection: close" ends the connection behind this answer.
  HttpHeaders headers;
  std::string body;
  // Whether it may be sent compressed (text over 1 KiB to a peer that accepts it). False where it carries a
  // secret: the size of a compressed answer tells of its content to whoever can add to it and watch (BREACH).
  bool compressible = true;
  std::shared_ptr<const std::string> gzipped = {};  // `body`, compressed ahead of time
  std::shared_ptr<BodySource> source = {};          // instead of `body`; never compressed
  std::optional<uint64_t> length = {};              // of the source; unknown: it is sent in chunks
  std::string route = {};                           // its template, for the access log
  bool refuses_page = false;  // it is refused for its origin, and may not read even that
};

// One plain HTTP request, answered once, now or later. Dropped unanswered if the peer has gone. The bytes of
// its body count for the budget of bodies until it is destroyed.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;
  virtual const HttpRequest& request() const = 0;
  // To a request whose body comes in pieces also before its end: then nothing more of it is read, and the
  // connection ends behind the answer.
  virtual void Respond(HttpResponse response) = 0;
  // Stops (true) or resumes (false) the pieces of its body. Time that passes meanwhile is not the peer's.
  virtual void PauseBody(bool /*pause*/) {}
};

// What takes a request's body in pieces, destroyed when there are no more. Of OnEnd and OnGone one comes, as
// the last call; neither when it was answered before.
class BodyReceiver {
 public:
  virtual ~BodyReceiver() = default;
  virtual void OnPiece(std::string_view piece) = 0;  // at most one read's worth; not empty
  virtual void OnEnd() = 0;
  virtual void OnGone() = 0;  // the peer has gone, or sent what is refused: an answer reaches nobody
};

// A request whose answer is queued, for the access log.
struct HttpAnswered {
  std::string_view method;
  std::string_view route;  // of the answer; empty: unknown
  int status = 0;
  int64_t microseconds = 0;  // since its head was complete
  uint64_t bytes_in = 0;     // of bodies
  uint64_t bytes_out = 0;
  std::string_view address;
  std::string_view trace;  // the trace id of its traceparent header; empty: none
};

}  // namespace parley::gateway
