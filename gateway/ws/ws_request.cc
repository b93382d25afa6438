#include "gateway/ws/ws_request.h"

#include <chrono>
#include <cstdio>

#include "protocol/base/log.h"

namespace parley::gateway {
namespace {

const protocol::Value kNoArgs{protocol::Map{}};

}  // namespace

const protocol::Value& WsRequest::args_or_empty() const {
  return args && !args->is_null() ? *args : kNoArgs;
}

threads::TracePtr BeginTrace(const SessionCore& core, const WsRequest& request, size_t bytes) {
  threads::Tracer::Request asked;
  asked.op = OpName(request.mark.op);
  asked.received = request.mark.since;
  asked.bytes = bytes;
  asked.session = core.id;
  if (core.authenticated) asked.user = core.user().ToText();
  const protocol::Value* thread = request.args ? request.args->Find("threadId") : nullptr;
  if (thread && thread->as_text()) asked.thread = *thread->as_text();
  return core.node().tracer().Begin(asked, [&core] { return core.node().errors().NextId(); });
}

void LogAnswered(const threads::Trace& trace, const Answer& answer) {
  threads::LogStep(trace, "answered",
                   {{"code", answer.ok() ? "OK" : protocol::Describe(answer.error().code).name},
                    {"bytes", answer.ok() ? answer->size() : 0}});
}

void LogOp(const Ticket& ticket, const Answer& answer, const std::string& session_id,
           const std::string& corr_id) {
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - ticket.mark.since;
  char milliseconds[24];
  std::snprintf(milliseconds, sizeof milliseconds, "%.2f", took.count());
  protocol::Log(protocol::LogLevel::kInfo, "ws", "answered",
                {{"op", OpName(ticket.mark.op)},
                 {"code", answer.ok() ? "OK" : protocol::Describe(answer.error().code).name},
                 {"ms", milliseconds},
                 {"bytes", answer.ok() ? answer->size() : 0},
                 {"session", session_id},
                 {"request", ticket.id ? std::to_string(*ticket.id) : "-"},
                 {"corrId", corr_id.empty() ? "-" : corr_id}});
}

}  // namespace parley::gateway
