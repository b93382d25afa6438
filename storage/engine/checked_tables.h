// Finds all tables for verification, and reports faults in their definitions and in the records of work
// on them.
//
// Thread contract: one thread, on a snapshot.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "storage/engine/item_demands.h"

namespace parley::storage {

class CheckedTables {
 public:
  using Differs = std::function<void(const std::string&)>;
  CheckedTables(const Reader& reader, const std::vector<TableDefPtr>& seeds, Differs differs);

  // REQUIRES: before any other call.
  Status Load();
  // Returns nullopt if no table has this partition.
  std::optional<CheckedTable> Find(const PartitionKey& partition) const;
  // Returns the declared table whose guards across all tenants are in this partition.
  TableDefPtr FindShared(const PartitionKey& partition) const;
  // Whether the rows that begin with `prefix` are being erased; with "", the whole partition.
  bool IsErased(const PartitionKey& partition, std::string_view prefix) const;
  // False until the writer of this version has run on the store (expiry_upgrade.h).
  bool has_places_of_fractions() const { return has_places_of_fractions_; }
  // Whether Load has checked the partition's rows: definitions and records.
  bool IsJudged(const PartitionKey& partition) const;

 private:
  using Rows = std::function<void(std::string_view sort, std::string_view payload)>;
  Status Each(const PartitionKey& partition, const Rows& visit) const;
  void AddDefinition(std::string_view sort, std::string_view payload);
  void JudgeDefinition(const CheckedTable& table);
  void JudgeFacts(std::string_view sort, std::string_view payload);
  void JudgeErasure(std::string_view sort);
  void JudgeBackfill(std::string_view sort);
  void JudgeStoreRecord(std::string_view sort, std::string_view payload);

  const Reader& reader_;
  const Differs differs_;
  std::map<std::string, TableDefPtr, std::less<>> seeds_;
  std::map<std::string, CheckedTable> own_;  // by partition
  std::set<std::string> erased_;             // partition and prefix
  std::set<std::string> retiming_;           // partitions
  bool has_places_of_fractions_ = false;
  uint64_t generations_ = 0;      // the highest of all tables
  uint64_t last_generation_ = 0;  // the store's record of it
};

}  // namespace parley::storage
