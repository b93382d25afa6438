#include "gateway/net/http_answer.h"

#include <algorithm>

#include "gateway/net/header.h"
#include "gateway/net/http_parser.h"

namespace parley::gateway {
namespace {

bool IsOurs(std::string_view name) {
  return EqualsIgnoringCase(name, "connection") || EqualsIgnoringCase(name, "content-length") ||
         EqualsIgnoringCase(name, "transfer-encoding");
}

void AppendLine(std::string_view name, std::string_view value, std::string* out) {
  out->append(name).append(": ");
  const size_t start = out->size();
  out->append(value);
  std::replace_if(
      out->begin() + static_cast<ptrdiff_t>(start), out->end(),
      [](unsigned char c) { return c < ' ' && c != '\t'; }, ' ');
  out->append("\r\n");
}

}  // namespace

std::string AnswerHead(const HttpResponse& response, const BodyForm& form, bool keeps_alive,
                       bool is_http_1_1) {
  std::string out = "HTTP/1.1 " + std::to_string(response.status) + ' ';
  out.append(ReasonPhrase(response.status)).append("\r\n");
  for (const auto& [name, value] : response.headers) {
    if (IsToken(name) && !IsOurs(name)) AppendLine(name, value, &out);
  }
  if (HasBody(response.status) && form.length) {
    AppendLine("Content-Length", std::to_string(*form.length), &out);
  } else if (HasBody(response.status) && form.chunked) {
    AppendLine("Transfer-Encoding", "chunked", &out);
  }
  if (!keeps_alive) {
    AppendLine("Connection", "close", &out);
  } else if (!is_http_1_1) {
    AppendLine("Connection", "keep-alive", &out);
  }
  return out.append("\r\n");
}

bool HasBody(int status) {
  return status >= 200 && status != 204 && status != 304;
}

bool EndsConnection(const HttpResponse& response) {
  return std::any_of(response.headers.begin(), response.headers.end(), [](const auto& header) {
    return EqualsIgnoringCase(header.first, "connection") && ListNames(header.second, "close");
  });
}

HttpResponse RefusalOf(int status) {
  switch (status) {
    case 413:
      return {413, {}, "the body is too large\n"};
    case 426:
      return {
          426, {{"Sec-WebSocket-Version", "13"}, {"Upgrade", "websocket"}}, "WebSocket version 13 only\n"};
    case 429:
      return {429, {{"Retry-After", "5"}}, "too many connections from this address\n"};
    case 431:
      return {431, {}, "the header is too large\n"};
    case 501:
      return {501, {}, "of transfer codings only chunked is known\n"};
    case 503:
      return {503, {{"Retry-After", "1"}}, "too much is held for others\n"};
    case 505:
      return {505, {}, "HTTP/1.1 only\n"};
    default:
      return {status, {}, "bad request\n"};
  }
}

}  // namespace parley::gateway
