// Takes the value of a setting over its default, if the tenant has set it.
#pragma once

#include "protocol/schema.h"

namespace parley::features {

template <int64_t Low, int64_t High>
void TakeSetting(const protocol::Omit<protocol::Bounded<Low, High>>& set, int64_t* out) {
  if (set.value) *out = set.value->value;
}

}  // namespace parley::features
