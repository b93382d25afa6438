#include "gateway/net/http_parser.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/status.hpp>

#include <algorithm>
#include <optional>

#include "gateway/net/header.h"

namespace parley::gateway {
namespace {

namespace http = boost::beast::http;
using boost::beast::string_view;
using BeastError = boost::beast::error_code;

// Collects Beast's results. It stops after the head: HttpReader reads the body.
class HeadParser final : public http::basic_parser<true> {
 public:
  HeadParser(HttpRequestHead* head, bool* is_http_1_1) : head_(head), is_http_1_1_(is_http_1_1) {
    header_limit(UINT32_MAX);  // HttpReader bounds it
    body_limit(boost::none);   // the route decides
    skip(true);
  }

 private:
  void on_request_impl(http::verb, string_view method, string_view target, int version,
                       BeastError&) override {
    head_->method.assign(method.data(), method.size());
    head_->target.assign(target.data(), target.size());
    *is_http_1_1_ = version == 11;
  }

  void on_field_impl(http::field, string_view name, string_view value, BeastError& error) override {
    if (++lines_ > kHeaderLinesMax) {
      error = http::error::header_limit;
      return;
    }
    const std::string_view wanted(name.data(), name.size());
    for (auto& [known, values] : head_->headers) {
      if (!EqualsIgnoringCase(known, wanted)) continue;
      if (!values.empty() && !value.empty()) values.append(", ");
      values.append(value.data(), value.size());
      return;
    }
    head_->headers.emplace_back(std::string(wanted), std::string(value.data(), value.size()));
  }

  void on_header_impl(BeastError&) override {}
  void on_finish_impl(BeastError&) override {}
  // The rest is called only for responses, bodies and chunks.
  void on_response_impl(int, string_view, int, BeastError&) override {}
  void on_body_init_impl(const boost::optional<uint64_t>&, BeastError&) override {}
  size_t on_body_impl(string_view body, BeastError&) override { return body.size(); }
  void on_chunk_header_impl(uint64_t, string_view, BeastError&) override {}
  size_t on_chunk_body_impl(uint64_t, string_view body, BeastError&) override { return body.size(); }

  HttpRequestHead* head_;
  bool* is_http_1_1_;
  size_t lines_ = 0;
};

// Returns the value of the first header line with this name.
std::optional<std::string_view> FindLine(std::string_view text, std::string_view name) {
  constexpr std::string_view kEnd = "\r\n";
  for (size_t end = text.find(kEnd); end != std::string_view::npos; end = text.find(kEnd)) {
    text.remove_prefix(end + kEnd.size());
    const std::string_view line = text.substr(0, text.find(kEnd));
    const size_t colon = line.find(':');
    if (EqualsIgnoringCase(line.substr(0, colon), name)) return Trimmed(line.substr(colon + 1));
  }
  return std::nullopt;
}

// A length in digits that does not fit in an integer is too large rather than malformed.
bool IsHuge(std::string_view length) {
  constexpr size_t kDigits = 20;  // as many as 2^64 has
  return length.size() >= kDigits && length.find_first_not_of("0123456789") == std::string_view::npos;
}

// Beast reports either line if a length and a coding contradict each other.
int StatusOfFraming(std::string_view text) {
  if (FindLine(text, "transfer-encoding")) return 400;
  const auto length = FindLine(text, "content-length");
  return length && IsHuge(*length) ? 413 : 400;
}

// Beast reports a malformed version with the same error.
bool NamesOtherVersion(std::string_view text) {
  const std::string_view line = text.substr(0, text.find("\r\n"));
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  constexpr std::string_view kForm = " HTTP/d.d";
  if (line.size() < kForm.size()) return false;
  const std::string_view version = line.substr(line.size() - kForm.size());
  return std::count(line.begin(), line.end(), ' ') == 2 && version.substr(0, 6) == kForm.substr(0, 6) &&
         is_digit(version[6]) && version[7] == '.' && is_digit(version[8]);
}

int StatusOf(const BeastError& error, std::string_view text) {
  if (error == http::error::header_limit) return 431;
  if (error == http::error::bad_version) return NamesOtherVersion(text) ? 505 : 400;
  const bool framing =
      error == http::error::bad_content_length || error == http::error::bad_transfer_encoding;
  return framing ? StatusOfFraming(text) : 400;
}

}  // namespace

int ParseHead(std::string_view text, HttpRequestHead* head, bool* is_http_1_1) {
  HeadParser parser(head, is_http_1_1);
  BeastError error;
  parser.put(boost::asio::const_buffer(text.data(), text.size()), error);
  if (error) return StatusOf(error, text);
  return parser.is_header_done() ? 0 : 400;
}

std::string_view ReasonPhrase(int status) {
  if (status == 422) return "Unprocessable Content";  // RFC 9110 renamed it
  const string_view phrase = http::obsolete_reason(static_cast<http::status>(status));
  return {phrase.data(), phrase.size()};
}

}  // namespace parley::gateway
