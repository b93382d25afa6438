// Defines HTTP requests and answers as handlers see them: whole, or with bodies in pieces. Valid C++17.
//
// Thread contract: plain values, and interfaces that are called and call back on the loop's thread.
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

namespace parley::protocol {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;
bool EqualsIgnoringCase(std::string_view a, std::string_view b);
// Returns the value of the first header of this name, in any case; nullptr if absent.
const std::string* FindHeader(const HttpHeaders& headers, std::string_view name);

// Formats "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110 §5.6.7). REQUIRES: unix_s >= 0.
std::string HttpDate(int64_t unix_s);

struct HttpRequestHead {
  std::string method;
  std::string target;  // path and query as sent
  HttpHeaders headers;
  const std::string* Header(std::string_view name) const { return FindHeader(headers, name); }
};
struct HttpRequest {
  std::string method;
  std::string target;
  std::string body;
  std::string address;  // the peer's; for a trusted proxy, the client's
  HttpHeaders headers;
  bool admin = false;  // it came from the operators' own listener
  const std::string* Header(std::string_view name) const { return FindHeader(headers, name); }
};

struct BodyPiece {
  enum class Then {
    kMore,
    kLast,
    kFailed
  };  // kFailed: cuts the connection, so that the body is not taken for complete
  std::string bytes;
  Then then = Then::kMore;
};

// The body of an answer, produced while it is sent.
class BodySource {
 public:
  // Called when everything was sent, or the peer has gone.
  virtual ~BodySource() = default;
  // Asks for the next piece, once the one before has left. `give` is called once, on the loop, at once or
  // later; a piece should have some 64 KiB. Once the source is destroyed, `give` does nothing.
  virtual void Next(std::function<void(BodyPiece)> give) = 0;
};

struct HttpResponse {
  int status = 200;
  // Content-Length is added; "Connection: close" closes the connection after this answer.
  HttpHeaders headers;
  std::string body;
  // Allows compression (of text over 1 KiB, to a peer that accepts it). Set false if the answer contains a
  // secret: an attacker who adds to the answer and watches its compressed size could guess it (BREACH).
  bool compressible = true;
  std::shared_ptr<const std::string> gzipped = {};  // `body`, compressed ahead of time
  std::shared_ptr<BodySource> source = {};          // instead of `body`; never compressed
  std::optional<uint64_t> length = {};              // the source's; if unknown, the body is chunked
  std::string route = {};                           // the route's template, for the access log
  std::string corr_id = {};                         // as errors and traces name the request; empty: none
  bool refuses_page = false;  // rejected because of its origin, which may not even read the answer
};

// One plain HTTP request, answered once, now or later; dropped if the peer has gone. The bytes of its body
// count against the bodies' budget until it is destroyed.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;
  virtual const HttpRequest& request() const = 0;
  // May be called before a body in pieces has ended: then the rest is not read, and the connection closes
  // after the answer.
  virtual void Respond(HttpResponse response) = 0;
  // Stops (true) or resumes (false) the pieces of the body. The peer's deadline does not run during a pause.
  virtual void PauseBody(bool /*pause*/) {}
};

// Receives a request's body in pieces; destroyed after the last. Its last call is OnEnd or OnGone, or neither
// if the request was answered before.
class BodyReceiver {
 public:
  virtual ~BodyReceiver() = default;
  virtual void OnPiece(std::string_view piece) = 0;  // at most one read; not empty
  virtual void OnEnd() = 0;
  virtual void OnGone() = 0;  // the peer has gone or sent a malformed body; no answer can reach it
};

}  // namespace parley::protocol
