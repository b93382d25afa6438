// What the process itself takes, under the names that Prometheus's own clients use, and what was built.
#pragma once

#include "protocol/base/metrics.h"

namespace parley::gateway {

// Reads /proc, which it opens now: a process that has run out of descriptors can still tell so. Whatever
// cannot be read is 0. Call it once per Metrics.
void AddProcessMetrics(protocol::Metrics& metrics);

}  // namespace parley::gateway
