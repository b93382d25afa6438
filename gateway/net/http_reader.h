// Reads the requests of one connection from pieces of any size, one request at a time, and stops after each.
// It knows no socket and no clock.
//
// A head has at most kHeadBytesMax bytes and kHeaderLinesMax lines (else 431). A head that two readers could
// understand differently is rejected (400, see HeaderScan). A body has a Content-Length, or it is chunked
// (ChunkScan); both at once (400) and other transfer codings (501) are rejected. The limit of the body is
// asked for when the head is known (kJudge). Memory grows with the bytes that arrive, never with the
// announced length; of a body in pieces only the bytes of one Take are kept. After a refusal nothing more is
// read.
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
#include "gateway/net/chunk_scan.h"
#include "gateway/net/header.h"
#include "gateway/net/transport.h"

namespace parley::gateway {

struct RequestHead : HttpRequestHead {
  uint64_t length = 0;  // the body's; for a chunked one, set at its end
  bool chunked = false;
  bool is_http_1_1 = false;
  bool keeps_alive = false;       // the peer wants to send more requests
  bool awaits_continue = false;   // it sends its body only after 100 Continue
  bool asks_for_upgrade = false;  // to WebSocket
};

class HttpReader {
 public:
  static constexpr size_t kHeadBytesMax = 16'000;

  enum class At : uint8_t {
    kHead,
    kJudge,  // the head is known: call AllowBody or Refuse
    kBody,
    kWhole,  // call TakeRequest, then the next one begins
    kRefused,
  };

  explicit HttpReader(std::shared_ptr<BodyBudget> bodies) : share_(std::move(bodies)) {}

  // Takes bytes of the present request, up to the next stop; returns how many.
  size_t Take(const char* data, size_t size);
  At at() const { return at_; }
  bool begun() const { return at_ != At::kHead || scan_.bytes() > 0; }
  const RequestHead& head() const { return head_; }  // REQUIRES: not kHead
  bool body_begun() const { return body_begun_; }
  bool in_pieces() const { return in_pieces_; }        // until TakeRequest
  uint64_t body_bytes() const { return body_bytes_; }  // so far
  int refusal() const { return refusal_; }             // an HTTP status; 0 unless kRefused

  // REQUIRES: kJudge. `in_pieces`: call TakePiece after each Take; the whole request then has no body, and
  // its bytes do not count against the budget.
  void AllowBody(size_t limit, bool in_pieces = false, BodyArrival arrival = {});
  std::string TakePiece();  // the body bytes of the last Take
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
  size_t TakeChunks(const char* data, size_t size);
  bool Append(std::string_view data);  // false: it refused
  bool MakeRoom(size_t bytes);

  At at_ = At::kHead;
  int refusal_ = 0;
  uint8_t blank_bytes_ = 0;  // counts the empty line that may precede a request
  HeaderScan scan_;
  std::string text_;  // collects a head that arrives in several pieces
  RequestHead head_;
  ChunkScan chunks_;
  size_t limit_ = 0;
  uint64_t body_bytes_ = 0;
  bool in_pieces_ = false;
  bool body_begun_ = false;
  std::string body_;
  BodyShare share_;
};

}  // namespace parley::gateway
