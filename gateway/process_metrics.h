// Adds the metrics of the process, under the names of Prometheus's own clients, and of the build.
#pragma once

#include "protocol/base/metrics.h"

namespace parley::gateway {

// Opens /proc now, so that a process that runs out of descriptors can still report. Values that cannot be
// read are 0. Call once per Metrics.
void AddProcessMetrics(protocol::Metrics& metrics);

}  // namespace parley::gateway
