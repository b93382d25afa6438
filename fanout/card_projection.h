// Which outside effects wait to be carried out: the feed of outbox.list. (When cards lapse is a time like
// others, kept by the inbox projection.)
#pragma once

#include "fanout/projection.h"

namespace parley::fanout {

class CardProjection final : public Projection {
 public:
  static constexpr std::string_view kName = "cards";
  std::string_view name() const override { return kName; }
  protocol::Status Project(const storage::Reader& snapshot, const TenantId& tenant, const ThreadId& thread,
                           const Dirty& dirty, Projected* out) override;
};

// What is written down of a thread, to find its rows again.
struct CardPlacement {
  struct Effect {
    protocol::Time at;
    int64_t seq = 0;
    friend auto operator<=>(const Effect&, const Effect&) = default;
    static constexpr auto Fields() {
      return std::tuple(protocol::Field("at", &Effect::at, ""), protocol::Field("seq", &Effect::seq, ""));
    }
  };
  protocol::List<Effect, SIZE_MAX> effects;
  static constexpr auto Fields() {
    using T = CardPlacement;
    return std::tuple(protocol::Field("effects", &T::effects, ""));
  }
};

}  // namespace parley::fanout
