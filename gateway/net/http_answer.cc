#include "gateway/net/http_answer.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "gateway/net/header.h"
#include "gateway/net/http_parser.h"

namespace parley::gateway {
namespace {

bool IsOurHeader(std::string_view name) {
  constexpr std::string_view kOurs[] = {"connection", "content-length", "transfer-encoding", "date",
                                        "x-content-type-options"};
  return std::any_of(std::begin(kOurs), std::end(kOurs),
                     [&](std::string_view one) { return EqualsIgnoringCase(name, one); });
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

std::string_view DateOfNow() {
  thread_local int64_t second = -1;
  thread_local std::string text;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const int64_t now_s = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  if (now_s != second) text = protocol::HttpDate(now_s);
  second = now_s;
  return text;
}

std::string AnswerHead(const HttpResponse& response, const BodyForm& form, bool keeps_alive,
                       bool is_http_1_1) {
  std::string out = "HTTP/1.1 " + std::to_string(response.status) + ' ';
  out.append(ReasonPhrase(response.status)).append("\r\n");
  AppendLine("Date", DateOfNow(), &out);
  AppendLine("X-Content-Type-Options", "nosniff", &out);
  for (const auto& [name, value] : response.headers) {
    if (IsToken(name) && !IsOurHeader(name)) AppendLine(name, value, &out);
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
    case 500:
      return {500, {}, "the request was not answered\n"};
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
      return {501, {}, "chunked is the only supported transfer coding\n"};
    case 503:
      return {503, {{"Retry-After", "1"}}, "the server has reached its limits; retry later\n"};
    case 505:
      return {505, {}, "HTTP/1.1 only\n"};
    default:
      return {status, {}, "bad request\n"};
  }
}

}  // namespace parley::gateway
