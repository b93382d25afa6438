// Reads the requests of one connection from bytes in pieces of any size, one request at a time, and stops
// behind each. Knows no socket and no clock.
//
// A head has at most kHeadBytesMax bytes and kHeaderLinesMax lines (431). What two readers could understand
// differently is refused (400, see HeaderScan), and so is a Transfer-Encoding (411): a body has a
// Content-Length or there is none. How long it may be is asked when the head is known (kJudge). Memory for it
// follows the bytes that arrive, never the length that was announced. After a refusal nothing more is read.
//
// Threads: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "gateway/net/body_budget.h"
#include "gateway/net/header.h"
#include "gateway/net/transport.h"

namespace parley::gateway {

struct RequestHead : HttpRequestHead {
  uint64_t length = 0;  // of the body
  bool is_http_1_1 = false;
  bool keeps_alive = false;       // the peer wants to send more requests
  bool awaits_continue = false;   // and sends its body only when told to
  bool asks_for_upgrade = false;  // to WebSocket
};

class HttpReader {
 public:
  static constexpr size_t kHeadBytesMax = 16'000;

  enum class At : uint8_t {
    kHead,
    kJudge,  // the head is known: AllowBody continues, or Refuse
    kBody,
    kWhole,  // TakeRequest continues with the next one
    kRefused,
  };

  explicit HttpReader(std::shared_ptr<BodyBudget> bodies) : share_(std::move(bodies)) {}

  // Takes what belongs to the present request, up to the next stop; returns how many bytes.
  size_t Take(const char* data, size_t size);
  At at() const { return at_; }
  bool begun() const { return at_ != At::kHead || scan_.bytes() > 0; }
  const RequestHead& head() const { return head_; }   // REQUIRES: not kHead
  size_t body_bytes() const { return body_.size(); }  // so far
  int refusal() const { return refusal_; }            // an HTTP status; 0 unless kRefused

  void AllowBody(size_t limit);  // REQUIRES: kJudge
  void Refuse(int status);

  struct Request {
    RequestHead head;
    std::string body;
    BodyShare share;  // keep it as long as the body
  };
  Request TakeRequest();  // REQUIRES: kWhole or kJudge

 private:
  size_t TakeHead(const char* data, size_t size);
  size_t SkipBlankLine(const char* data, size_t size);
  void ParseWholeHead(std::string_view text);
  size_t TakeBody(const char* data, size_t size);
  bool MakeRoom(size_t bytes);

  At at_ = At::kHead;
  int refusal_ = 0;
  uint8_t blank_bytes_ = 0;  // of the empty line that may precede a request
  HeaderScan scan_;
  std::string text_;  // of a head that did not arrive in one piece
  RequestHead head_;
  std::string body_;
  BodyShare share_;
};

}  // namespace parley::gateway
