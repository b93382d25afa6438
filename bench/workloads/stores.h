// The store that several workloads share, so that one kept store serves them all.
#pragma once

#include <algorithm>

#include "bench/load/dataset.h"
#include "bench/workloads/workload.h"

namespace parley::bench {

inline constexpr const char* kEverywhere = "everywhere";  // a member of each of the store's busy threads

// A `fraction`th of the context's sizes, in the same shape: three fifths of the messages are in the busy
// threads, which have more than a page each; the rest is in very many threads of others.
inline DatasetPlan StoreOf(const Context& context, size_t fraction) {
  const size_t messages = std::max<size_t>(10'000, context.messages / fraction);
  DatasetPlan plan;
  plan.members = 3;
  plan.everywhere = kEverywhere;
  plan.threads = std::clamp<size_t>(context.threads / fraction, 100, messages / 100);
  plan.messages = messages / 5 * 3;
  plan.more_threads = std::max(plan.threads, context.all_threads / fraction) - plan.threads;
  plan.more_messages = plan.more_threads > 0 ? messages - plan.messages : 0;
  plan.compacted = true;
  return plan;
}

}  // namespace parley::bench
