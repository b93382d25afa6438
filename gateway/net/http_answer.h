// Answers as bytes, and those that the transport gives by itself.
#pragma once

#include <cstddef>
#include <string>

#include "gateway/net/transport.h"

namespace parley::gateway {

// Status line and header, up to and including the empty line. Header lines that would break the framing are
// left out, and line breaks in values become blanks.
std::string AnswerHead(const HttpResponse& response, size_t body_bytes, bool keeps_alive, bool is_http_1_1);
bool HasBody(int status);
bool EndsConnection(const HttpResponse& response);  // says "Connection: close"

// Why a request is refused, in plain text.
HttpResponse RefusalOf(int status);

}  // namespace parley::gateway
