// Routes by which the operator reads and confirms the server's clock (protocol/base/watched_clock.h).
#include "gateway/http/route.h"
#include "protocol/base/log.h"

namespace parley::gateway {
namespace {

struct ClockView {
  protocol::Time now;
  bool believed = true;
  int64_t ahead_ms = 0;
  static constexpr void Fields(auto& field) {
    using T = ClockView;
    field("now", &T::now, "the server's time");
    field("believed", &T::believed, "false: writes are rejected until the clock is set back or confirmed");
    field("aheadMs", &T::ahead_ms, "by how many milliseconds it was set ahead; 0 while it is believed");
  }
};
struct OneClock {
  ClockView clock;
  static constexpr void Fields(auto& field) { field("clock", &OneClock::clock, ""); }
};

OneClock ClockOf(const Node& node) {
  const int64_t ahead_ms = node.clock().AheadMs();
  return {{node.clock().Now(), ahead_ms == 0, ahead_ms}};
}

void Show(const Call& call, NoArgs, Answering<OneClock> then) {
  then(ClockOf(call.node()));
}

void Confirm(const Call& call, NoArgs, Answering<OneClock> then) {
  if (call.node().ConfirmClock())
    protocol::Log(protocol::LogLevel::kWarn, "gateway", "the clock was confirmed",
                  {{"now", protocol::FormatTime(call.node().clock().Now())}});
  then(ClockOf(call.node()));
}

}  // namespace

std::vector<HttpRoute> ClockRoutes() {
  using enum Method;
  const HttpRoute::Traits of_server{.of_no_tenant = true};
  return {
      RouteTo<NoArgs, OneClock, Show>(kGet, "/v1/clock", "getClock", kOperator, 200,
                                      "Whether the server believes its clock.", of_server),
      RouteTo<NoArgs, OneClock, Confirm>(
          kPost, "/v1/clock/confirm", "confirmClock", kOperator, 200,
          "Accepts the clock's present time as correct, so that writes continue.", of_server),
  };
}

}  // namespace parley::gateway
