// The HTTP request parser that we give to websocketpp: its own, with the bounds and refusals that it lacks.
// Part of the one translation unit that sees websocketpp.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <websocketpp/http/request.hpp>
#include <websocketpp/processors/processor.hpp>

#include "gateway/net/header.h"

namespace parley::gateway {

// Line and header bytes are bounded by websocketpp (16 000), the body by set_max_body_size. On top of that:
// - at most kHeadersMax header fields: each costs a map node, twenty times the bytes it takes to send one;
// - a Transfer-Encoding is refused (411): websocketpp would take a chunked body for the next request on the
//   connection;
// - a Content-Length that is not a number is refused (400) instead of being read as zero;
// - header lines that two parsers could read differently are refused (400): see HeaderScan;
// - Upgrade and Connection are lists of names, compared whole: websocketpp looks for the name anywhere in the
//   text;
// - a target in absolute form is accepted, and its host takes precedence over the Host line (RFC 9112
//   §3.2.2);
// - a WebSocket version other than 13 (RFC 6455 §4.4) is refused (426) before websocketpp picks one of its
// drafts. A refused request is made to look like plain HTTP, so that it takes the plain path and is answered
// there.
class BoundedRequest : public websocketpp::http::parser::request {
 public:
  static constexpr size_t kHeadersMax = 100;

  size_t consume(const char* data, size_t size) {
    if (!scan_.Take(data, size)) {
      throw websocketpp::http::exception("ambiguous header", websocketpp::http::status_code::bad_request);
    }
    const size_t used = websocketpp::http::parser::request::consume(data, size);
    if (get_headers().size() > kHeadersMax) {
      throw websocketpp::http::exception("too many header fields",
                                         websocketpp::http::status_code::request_header_fields_too_large);
    }
    if (ready() && !judged_) Judge();
    return used;
  }

  int refusal() const { return refusal_; }  // an HTTP status, or 0
  // A client that asked for permission to send its body is waiting for it (RFC 9110 §10.1.1). Returns true
  // once.
  bool TakeExpectContinue() {
    if (ready() || m_body_bytes_needed == 0 || continued_) return false;
    continued_ = true;
    return websocketpp::utility::to_lower(get_header("Expect")) == "100-continue";
  }
  std::string TakeBody() { return std::move(m_body); }
  // After the handshake the headers are not read again: a connection need not hold them for its life.
  void Forget() {
    m_headers.clear();
    m_body = {};
  }

 private:
  void Judge() {
    judged_ = true;
    const std::string& length = get_header("Content-Length");
    const bool asks_upgrade =
        ListNames(get_header("Upgrade"), "websocket") && ListNames(get_header("Connection"), "upgrade");
    if (!get_header("Transfer-Encoding").empty()) {
      refusal_ = 411;
    } else if (!std::all_of(length.begin(), length.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      refusal_ = 400;
    } else if (!SplitTarget()) {
      refusal_ = 400;
    } else if (asks_upgrade && get_header("Sec-WebSocket-Version") != "13") {
      refusal_ = 426;
    }
    if (refusal_ != 0 || !asks_upgrade) {
      remove_header("Upgrade");
    } else {  // in the form that websocketpp looks for
      replace_header("Upgrade", "websocket");
      replace_header("Connection", "Upgrade");
    }
  }

  // Leaves the path and the query in the target; false when we do not serve such a target.
  bool SplitTarget() {
    const RequestTarget target = SplitRequestTarget(get_uri());
    if (!target.valid) return false;
    if (!target.authority.empty()) replace_header("Host", target.authority);
    set_uri(target.path);
    return true;
  }

  HeaderScan scan_;
  int refusal_ = 0;
  bool judged_ = false;
  bool continued_ = false;
};

}  // namespace parley::gateway
