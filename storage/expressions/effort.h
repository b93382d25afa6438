// How much work the programs of a request make: conditions, filters and projections are text that anybody
// with a key may send, and what they cost depends on the items that they meet. A step is a comparison, or a
// byte that was looked at; a value within a list or map counts kStepsPerValue more.
//
// Not thread-safe; lives for one page or one decision.
#pragma once

#include <cstdint>
#include <limits>

#include "storage/items/attribute.h"

namespace parley::storage {

class Effort {
 public:
  static constexpr uint64_t kUnbounded = std::numeric_limits<uint64_t>::max();
  explicit Effort(uint64_t most = kUnbounded) : most_(most) {}

  // False: it is more than there was left, and the work is not to be done.
  bool Spend(uint64_t steps) {
    spent_ += steps;
    return !exhausted();
  }
  // Once it is, what was evaluated with it means nothing.
  bool exhausted() const { return spent_ > most_; }
  uint64_t spent() const { return spent_; }
  uint64_t left() const { return exhausted() ? 0 : most_ - spent_; }

 private:
  const uint64_t most_;
  uint64_t spent_ = 0;
};

inline constexpr uint64_t kStepsPerValue = 8;
// Reading an item makes values of its bytes, which takes longer than to look at them.
inline constexpr uint64_t kStepsPerByteRead = 4;

// Of looking at all of `value`.
uint64_t StepsThrough(const AttributeValue& value);

}  // namespace parley::storage
