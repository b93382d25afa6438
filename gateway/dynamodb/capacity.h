// ConsumedCapacity, as DynamoDB counts it: a read unit is 4 KiB read consistently, half of one otherwise; a
// write unit is 1 KiB, twice that in a transaction; indexes that a write touches count by themselves.
#pragma once

#include <map>
#include <string>

#include "storage/engine/item_reads.h"
#include "storage/engine/item_writes.h"

namespace parley::gateway {

enum class CapacityDetail : uint8_t { kNone, kTotal, kIndexes };

struct Capacity {
  double table = 0;
  std::map<std::string, double> local, global;  // by index
  double total() const;
  void Add(const Capacity& other);
};

Capacity ReadCapacity(size_t bytes, bool consistent, const storage::IndexDef* index);
Capacity WriteCapacity(const storage::WriteReply& write);
Capacity Doubled(Capacity capacity);  // in a transaction

// {"TableName":…,"CapacityUnits":…}
std::string CapacityJson(const std::string& table, const Capacity& capacity, CapacityDetail detail);

}  // namespace parley::gateway
