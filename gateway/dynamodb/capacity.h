// Computes ConsumedCapacity as DynamoDB does. A read unit is 4 KiB read consistently; other reads cost half
// of it. A write unit is 1 KiB; a transaction costs twice that. Each index that a write changes counts
// separately.
#pragma once

#include <map>
#include <string>

#include "storage/engine/item_reads.h"
#include "storage/engine/item_writes.h"

namespace parley::gateway {

enum class CapacityDetail : uint8_t { kNone, kTotal, kIndexes };

struct Capacity {
  double table = 0;
  std::map<std::string, double> local, global;  // by index name
  double total() const;
  void Add(const Capacity& other);
};

Capacity ReadCapacity(size_t bytes, bool consistent, const storage::IndexDef* index);
Capacity WriteCapacity(const storage::WriteReply& write);
Capacity Doubled(Capacity capacity);  // the cost in a transaction

// {"TableName":…,"CapacityUnits":…}
std::string CapacityJson(const std::string& table, const Capacity& capacity, CapacityDetail detail);

}  // namespace parley::gateway
