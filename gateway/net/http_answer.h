// Encodes the heads of answers, and makes the answers of the transport itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gateway/net/http.h"

namespace parley::gateway {

// Encodes the status line and headers, up to and including the empty line. Every answer gets `Date` (RFC 9110
// §6.6.1) and `X-Content-Type-Options: nosniff`. Headers that would break the framing are omitted, and line
// breaks in values become blanks.
struct BodyForm {
  std::optional<uint64_t> length;  // nullopt: not announced
  bool chunked = false;
};
std::string AnswerHead(const HttpResponse& response, const BodyForm& form, bool keeps_alive,
                       bool is_http_1_1);
bool HasBody(int status);
bool EndsConnection(const HttpResponse& response);  // it has "Connection: close"

std::string_view DateOfNow();  // valid until this thread calls it in another second

// Returns the transport's refusal with this status, in plain text.
HttpResponse RefusalOf(int status);

}  // namespace parley::gateway
