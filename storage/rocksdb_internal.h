// Shared by the files of the RocksDB backend. Our only header that includes RocksDB's.
#pragma once

#include <rocksdb/db.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/rocksdb_table.h"
#include "storage/table.h"

namespace parley::storage {

// Column families: rows with the same access pattern share one. One WAL serves all, so a batch across
// families is atomic.
enum class Family : uint8_t {
  kRows,   // partitions with domain rows, and the store's own rows except the change log
  kIndex,  // projections: rows that move
  kLog,    // the change log: appended, read in order, dropped from the front
};
inline constexpr size_t kFamilyCount = 3;
inline constexpr std::array<const char*, kFamilyCount> kFamilyNames{"default", "index", "log"};
Family FamilyOf(TableTag table);

// Options, with their reasons, are in rocksdb_options.cc.
rocksdb::DBOptions DatabaseOptions(const RocksdbSettings& settings, rocksdb::Env* env);
std::vector<rocksdb::ColumnFamilyDescriptor> FamilyDescriptors(const RocksdbSettings& settings);
// For reading META from a store that is not open: no background work, hardly any memory.
rocksdb::DBOptions ProbeOptions(rocksdb::Env* env);

// An open database with its column families, closed in the right order.
struct Database {
  ~Database();
  rocksdb::ColumnFamilyHandle* family(Family which) const { return handles[static_cast<size_t>(which)]; }

  std::shared_ptr<void> lock;  // released after the rest is closed
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;  // by Family
};

inline rocksdb::Slice ToSlice(std::string_view text) {
  return {text.data(), text.size()};
}
inline std::string_view ToView(const rocksdb::Slice& slice) {
  return {slice.data(), slice.size()};
}

// For reads: damage is kCorrupt, a block that is not in memory is kNotInMemory, everything else
// kUnavailable.
Status ReadFailure(const rocksdb::Status& status);

// Reads one row by its physical key; a missing one is nullopt.
Status ReadRow(const Database& database, const rocksdb::ReadOptions& options, Family family,
               std::string_view key, std::optional<Row>* out);

}  // namespace parley::storage
