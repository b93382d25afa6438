// Limits the work of a request's conditions, filters and projections: anybody with a key may send them, and
// their cost depends on the items that they meet. A step is a comparison or an examined byte; a value within
// a list or map counts kStepsPerValue more.
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

  // Returns false if fewer steps were left; the caller must not do the work then.
  bool Spend(uint64_t steps) {
    spent_ += steps;
    return !exhausted();
  }
  // If true, results of evaluations with it are meaningless.
  bool exhausted() const { return spent_ > most_; }
  uint64_t spent() const { return spent_; }
  uint64_t left() const { return exhausted() ? 0 : most_ - spent_; }

 private:
  const uint64_t most_;
  uint64_t spent_ = 0;
};

inline constexpr uint64_t kStepsPerValue = 8;
// Decoding an item's bytes into values takes longer than examining them.
inline constexpr uint64_t kStepsPerByteRead = 4;

// The steps of examining all of `value`.
uint64_t StepsThrough(const AttributeValue& value);

}  // namespace parley::storage
