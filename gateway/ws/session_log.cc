// Log lines about the requests of a session: the access log of ops, and traces.
#include <cstdio>

#include "gateway/ws/session.h"
#include "protocol/base/log.h"

namespace parley::gateway {

threads::TracePtr Session::BeginTrace(const Asked& request, size_t bytes) const {
  threads::Tracer::Request asked;
  asked.op = OpName(request.mark.op);
  asked.received = request.mark.since;
  asked.bytes = bytes;
  asked.session = id_;
  if (authenticated_) asked.user = user().ToText();
  const protocol::Value* thread = request.args ? request.args->Find("threadId") : nullptr;
  if (thread && thread->as_text()) asked.thread = *thread->as_text();
  return node_.tracer().Begin(asked, [this] { return node_.errors().NextId(); });
}

void Session::LogAnswered(const threads::Trace& trace, const Answer& answer) {
  threads::LogStep(trace, "answered",
                   {{"code", answer.ok() ? "OK" : protocol::Describe(answer.error().code).name},
                    {"bytes", answer.ok() ? answer->size() : 0}});
}

void Session::LogOp(const OpMeter::Mark& mark, const Answer& answer, const std::string& corr_id) const {
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - mark.since;
  char milliseconds[24];
  std::snprintf(milliseconds, sizeof milliseconds, "%.2f", took.count());
  protocol::Log(protocol::LogLevel::kInfo, "ws", "answered",
                {{"op", OpName(mark.op)},
                 {"code", answer.ok() ? "OK" : protocol::Describe(answer.error().code).name},
                 {"ms", milliseconds},
                 {"bytes", answer.ok() ? answer->size() : 0},
                 {"session", id_},
                 {"corrId", corr_id.empty() ? "-" : corr_id}});
}

}  // namespace parley::gateway
