// The rows that sends really write, as physical keys and values, so that the storage baselines do the same
// work. Recorded from the executor's commits on the memory backend.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parley::bench {

struct PhysicalRow {
  uint8_t family = 0;  // storage::Family
  std::string key;
  std::string value;
};
using PhysicalCommit = std::vector<PhysicalRow>;  // one message, its change-log entry included

struct RecordPlan {
  size_t rooms = 26, members = 10, messages = 20'000, body_bytes = 200;
};
std::vector<PhysicalCommit> RecordSends(const RecordPlan& plan);

}  // namespace parley::bench
