// Defines a request of a session and the data that its answer needs, and logs both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "gateway/app/op_meter.h"
#include "gateway/ops/router.h"
#include "gateway/ws/session_core.h"
#include "protocol/frame.h"

namespace parley::gateway {

// The data that the answer to a request needs. A request without an id gets no answer, but is counted.
struct Ticket {
  std::optional<uint32_t> id;
  OpMeter::Mark mark;
  const protocol::CompactShape* pages = nullptr;  // the op's (OpInfo)
  threads::TracePtr trace = {};
};

struct WsRequest : protocol::Request {
  const OpInfo* info = nullptr;  // nullptr: unknown op
  OpMeter::Mark mark;
  threads::TracePtr trace;

  Ticket ticket() const { return {id, mark, info ? info->pages : nullptr, trace}; }
  const protocol::Value& args_or_empty() const;
};

// Log lines about a request: the access log of ops, and traces.
threads::TracePtr BeginTrace(const SessionCore& core, const WsRequest& request, size_t bytes);
void LogAnswered(const threads::Trace& trace, const Answer& answer);
void LogOp(const Ticket& ticket, const Answer& answer, const std::string& session_id,
           const std::string& corr_id);

}  // namespace parley::gateway
