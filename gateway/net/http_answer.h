// Answers as bytes, and those that the transport gives by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gateway/net/http.h"

namespace parley::gateway {

// Status line and header, up to and including the empty line. Every answer has `Date` (RFC 9110 §6.6.1) and
// `X-Content-Type-Options: nosniff`. Header lines that would break the framing are left out, and line breaks
// in values become blanks.
struct BodyForm {
  std::optional<uint64_t> length;  // nothing: not told
  bool chunked = false;
};
std::string AnswerHead(const HttpResponse& response, const BodyForm& form, bool keeps_alive,
                       bool is_http_1_1);
bool HasBody(int status);
bool EndsConnection(const HttpResponse& response);  // says "Connection: close"

// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110 §5.6.7). REQUIRES: unix_s >= 0.
std::string HttpDate(int64_t unix_s);
std::string_view DateOfNow();  // valid until the thread asks in another second

// Why a request is refused, in plain text.
HttpResponse RefusalOf(int status);

}  // namespace parley::gateway
