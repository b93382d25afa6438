#include "gateway/net/http_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "gateway/net/http_parser.h"

namespace parley::gateway {
namespace {

// Frees the memory, which assigning an empty string would keep.
void Free(std::string* text) {
  std::string().swap(*text);
}

bool Lists(const RequestHead& head, std::string_view header, std::string_view name) {
  const std::string* list = head.Header(header);
  return list && ListNames(*list, name);
}

// Returns false unless it is a plain number. A number too large for an integer was rejected before.
bool ReadLength(const std::string* text, uint64_t* length) {
  if (!text) return true;
  const char* end = text->data() + text->size();
  const auto [at, error] = std::from_chars(text->data(), end, *length);
  return error == std::errc() && at == end;
}

void SetHost(RequestHead* head, const std::string& authority) {
  for (auto& [name, value] : head->headers) {
    if (EqualsIgnoringCase(name, "host")) value = authority;
  }
}

// Accepts only `chunked`, by itself, in HTTP/1.1: a reader in front of us might end any other body elsewhere.
int UnderstandCoding(RequestHead* head) {
  const std::string* coding = head->Header("Transfer-Encoding");
  if (!coding) return 0;
  if (!head->is_http_1_1 || head->Header("Content-Length")) return 400;
  head->chunked = EqualsIgnoringCase(*coding, "chunked");
  return head->chunked ? 0 : 501;
}

// Interprets the headers. Returns 0 or the status of the refusal.
int Understand(RequestHead* head) {
  if (const int refusal = UnderstandCoding(head); refusal != 0) return refusal;
  if (!ReadLength(head->Header("Content-Length"), &head->length)) return 400;
  const std::string* host = head->Header("Host");
  if (host ? !IsSoundHost(*host) : head->is_http_1_1) return 400;
  RequestTarget target = SplitRequestTarget(head->target);
  if (!target.valid) return 400;
  if (!target.authority.empty()) SetHost(head, target.authority);
  head->target = std::move(target.path);
  head->keeps_alive =
      !Lists(*head, "Connection", "close") && (head->is_http_1_1 || Lists(*head, "Connection", "keep-alive"));
  head->awaits_continue = head->is_http_1_1 && Lists(*head, "Expect", "100-continue");
  head->asks_for_upgrade =
      head->is_http_1_1 && Lists(*head, "Upgrade", "websocket") && Lists(*head, "Connection", "upgrade");
  return 0;
}

}  // namespace

size_t HttpReader::Take(const char* data, size_t size) {
  if (at_ == At::kHead) return TakeHead(data, size);
  return at_ == At::kBody ? TakeBody(data, size) : 0;
}

size_t HttpReader::TakeHead(const char* data, size_t size) {
  const size_t skipped = SkipBlankLine(data, size);
  if (at_ == At::kRefused) return skipped;
  data += skipped;
  const size_t before = scan_.bytes();
  const bool sound = scan_.Take(data, std::min(size - skipped, kHeadBytesMax - before));
  const size_t taken = scan_.bytes() - before;
  if (!sound) {
    Refuse(400);
  } else if (scan_.complete() && text_.empty()) {
    ParseWholeHead({data, taken});
  } else {
    text_.append(data, taken);
    if (scan_.complete()) {
      ParseWholeHead(text_);
    } else if (scan_.bytes() == kHeadBytesMax) {
      Refuse(431);
    }
  }
  return skipped + taken;
}

// One empty line before a request is allowed: some clients end a body with one (RFC 9112 §2.2).
size_t HttpReader::SkipBlankLine(const char* data, size_t size) {
  constexpr std::string_view kBlankLine = "\r\n";
  size_t skipped = 0;
  while (skipped < size && scan_.bytes() == 0 && blank_bytes_ < kBlankLine.size() &&
         data[skipped] == kBlankLine[blank_bytes_]) {
    ++blank_bytes_;
    ++skipped;
  }
  if (blank_bytes_ == 1 && skipped < size) Refuse(400);  // half of an empty line
  return skipped;
}

void HttpReader::ParseWholeHead(std::string_view text) {
  int refusal = ParseHead(text, &head_, &head_.is_http_1_1);
  if (refusal == 0) refusal = Understand(&head_);
  Free(&text_);
  if (refusal != 0) return Refuse(refusal);
  at_ = At::kJudge;
}

void HttpReader::AllowBody(size_t limit, bool in_pieces, BodyArrival arrival) {
  if (head_.length > limit) return Refuse(413);
  share_.Begin(std::move(arrival));
  if (!in_pieces && !share_.MakeRoom(head_.length)) return Refuse(503);
  limit_ = limit;
  in_pieces_ = in_pieces;
  at_ = head_.length == 0 && !head_.chunked ? At::kWhole : At::kBody;
}

std::string HttpReader::TakePiece() {
  return std::exchange(body_, {});
}

void HttpReader::Refuse(int status) {
  at_ = At::kRefused;
  refusal_ = status;
  Free(&text_);
  Free(&body_);
  share_.Reset();
}

size_t HttpReader::TakeBody(const char* data, size_t size) {
  body_begun_ = body_begun_ || size > 0;
  if (head_.chunked) return TakeChunks(data, size);
  const size_t taken = static_cast<size_t>(std::min<uint64_t>(size, head_.length - body_bytes_));
  if (Append({data, taken}) && body_bytes_ == head_.length) at_ = At::kWhole;
  return taken;
}

// A chunk that is too large is rejected as soon as its length is known.
size_t HttpReader::TakeChunks(const char* data, size_t size) {
  size_t taken = 0;
  while (taken < size && at_ == At::kBody) {
    const ChunkScan::Step step = chunks_.Take(data + taken, size - taken);
    taken += step.taken;
    if (chunks_.fault() != 0) {
      Refuse(chunks_.fault());
    } else if (body_bytes_ + step.data.size() + chunks_.ahead() > limit_) {
      Refuse(413);
    } else if (Append(step.data) && chunks_.complete()) {
      head_.length = body_bytes_;
      at_ = At::kWhole;
    }
  }
  return taken;
}

bool HttpReader::Append(std::string_view data) {
  if (!in_pieces_ && !MakeRoom(data.size())) {
    Refuse(503);
    return false;
  }
  body_.append(data);
  body_bytes_ += data.size();
  return true;
}

// At most doubles the memory that has been filled, so that a body is copied rarely and an announced length
// reserves nothing.
bool HttpReader::MakeRoom(size_t bytes) {
  const size_t wanted = body_.size() + bytes;
  const size_t room = share_.bytes();
  if (wanted <= room) return true;
  const uint64_t most = head_.chunked ? limit_ : head_.length;
  const size_t more = static_cast<size_t>(std::min<uint64_t>(most, std::max(wanted, 2 * room)));
  if (!share_.Grow(more - room)) return false;
  body_.reserve(more);
  return true;
}

HttpReader::Request HttpReader::TakeRequest() {
  share_.End();
  Request taken{std::move(head_), std::move(body_), std::move(share_)};
  at_ = At::kHead;
  blank_bytes_ = 0;
  scan_ = {};
  head_ = {};
  chunks_ = {};
  body_bytes_ = 0;
  body_begun_ = false;
  in_pieces_ = false;
  body_.clear();
  return taken;
}

}  // namespace parley::gateway
