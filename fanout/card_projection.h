// What the rest of the server needs to know of threads' cards without looking at the threads: when the next
// open card lapses (for Deadlines), and which outside effects wait to be carried out (the feed of
// outbox.list).
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
  std::optional<protocol::Time> due;
  protocol::List<Effect, SIZE_MAX> effects;
  static constexpr auto Fields() {
    using T = CardPlacement;
    return std::tuple(protocol::Field("due", &T::due, ""), protocol::Field("effects", &T::effects, ""));
  }
};

}  // namespace parley::fanout
