// Names the HTTP values of protocol/base/http.h in the gateway, and adds the access log's record. Valid
// C++17.
#pragma once

#include <cstdint>
#include <string_view>

#include "protocol/base/http.h"

namespace parley::gateway {

using protocol::BodyPiece;
using protocol::BodyReceiver;
using protocol::BodySource;
using protocol::HttpExchange;
using protocol::HttpHeaders;
using protocol::HttpRequest;
using protocol::HttpRequestHead;
using protocol::HttpResponse;

// An answered request, for the access log; its answer is queued.
struct HttpAnswered {
  std::string_view method;
  std::string_view route;  // the answer's template; empty: unknown
  int status = 0;
  int64_t microseconds = 0;  // since the head was complete
  uint64_t bytes_in = 0;     // the body's
  uint64_t bytes_out = 0;
  std::string_view address;
  std::string_view corr_id;  // the answer's; empty: none
  std::string_view trace;    // the trace id of its traceparent header; empty: absent
};

}  // namespace parley::gateway
