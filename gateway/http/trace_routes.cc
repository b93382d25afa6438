// Routes by which the operator follows requests while the server runs (threads/engine/tracer.h).
#include <charconv>

#include "gateway/http/route.h"
#include "protocol/base/log.h"
#include "protocol/base/reason.h"

namespace parley::gateway {
namespace {

using threads::Tracer;

constexpr int64_t kTraceSecondsDefault = 600;

struct TraceView {
  std::string trace_id;
  std::string what;
  std::optional<int64_t> seconds;
  static constexpr void Fields(auto& field) {
    using T = TraceView;
    field("traceId", &T::trace_id, "its id");
    field("what", &T::what, "the requests that it follows: `thread=ID`, `user=ID` or `session=ID`");
    field("seconds", &T::seconds, "the time left; null: as long as the server runs");
  }
};
struct OneTrace {
  TraceView trace;
  static constexpr void Fields(auto& field) { field("trace", &OneTrace::trace, ""); }
};
struct TraceList {
  protocol::List<TraceView, Tracer::kRulesMax> items;
  static constexpr void Fields(auto& field) { field("items", &TraceList::items, ""); }
};

TraceView ViewOf(const Tracer::Rule& rule) {
  return {std::to_string(rule.id), rule.what, rule.seconds};
}

void ListTraces(const Call& call, NoArgs, Answering<TraceList> then) {
  TraceList list;
  for (const Tracer::Rule& rule : call.node().tracer().List()) list.items.items.push_back(ViewOf(rule));
  then(std::move(list));
}

struct NewTraceArgs {
  protocol::Text<160> what;
  std::optional<protocol::Bounded<1, Tracer::kSecondsMax>> seconds;
  static constexpr void Fields(auto& field) {
    field("what", &NewTraceArgs::what,
          "the requests to follow: `thread=ID`, `user=ID` (of any tenant) or `session=ID`");
    field("seconds", &NewTraceArgs::seconds, "duration of the trace; 600 if not given");
  }
};

void StartTrace(const Call& call, NewTraceArgs args, Answering<OneTrace> then) {
  const int64_t seconds = args.seconds ? args.seconds->value : kTraceSecondsDefault;
  auto rule = call.node().tracer().Add(args.what.value, seconds);
  if (!rule.ok()) return then(std::move(rule.error()));
  protocol::Log(protocol::LogLevel::kWarn, "gateway", "the operator started a trace",
                {{"what", rule->what}, {"seconds", seconds}});
  then(OneTrace{ViewOf(*rule)});
}

struct TraceArgs {
  protocol::Text<20> trace_id;
  static constexpr void Fields(auto& field) { field("traceId", &TraceArgs::trace_id, "the trace"); }
};

void StopTrace(const Call& call, TraceArgs args, Answering<NoContent> then) {
  const std::string& text = args.trace_id.value;
  int64_t id = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), id);
  const bool is_number = read.ec == std::errc() && read.ptr == text.data() + text.size();
  if (!is_number || !call.node().tracer().Remove(id))
    return then(ErrorFor(protocol::Reason::kNoPath, "no such trace"));
  then(NoContent{});
}

}  // namespace

std::vector<HttpRoute> TraceRoutes() {
  using enum Method;
  const HttpRoute::Traits of_server{.of_no_tenant = true};
  return {
      RouteTo<NoArgs, TraceList, ListTraces>(kGet, "/v1/traces", "listTraces", kOperator, 200,
                                             "Lists the requests that are followed.", of_server),
      RouteTo<NewTraceArgs, OneTrace, StartTrace>(
          kPost, "/v1/traces", "startTrace", kOperator, 201,
          "Follows requests: each of their steps leaves a line in the server's log.", of_server),
      RouteTo<TraceArgs, NoContent, StopTrace>(kDelete, "/v1/traces/{traceId}", "stopTrace", kOperator, 204,
                                               "Stops following requests.", of_server),
  };
}

}  // namespace parley::gateway
