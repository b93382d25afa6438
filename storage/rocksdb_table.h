// The RocksDB backend. Options and their reasons are in rocksdb_options.cc; the files are RocksDB's own.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "storage/table.h"

namespace parley::storage {

struct RocksdbSettings {
  std::string dir;
  bool create_if_missing = true;
  bool read_only = false;  // for parleyctl on a stopped store or a checkpoint
  size_t block_cache_bytes = size_t{512} << 20;
  size_t memtable_bytes = size_t{16} << 20;
};

enum class OpenFault : uint8_t {
  kLocked,  // another process holds it
  kNoPermission,
  kMissing,        // does not exist and must not be created
  kCorrupt,        // exists, but is damaged
  kUnknownFormat,  // written by a newer version
  kNotAStore,      // a directory with other things in it, or no directory
  kOther,
};
struct OpenError {
  OpenFault fault;
  std::string message;  // for a person: what happened, to which path, and the remedy
};

// The on-disk format of this version: the number in META. 2: inboxes in cells, with seats and counts.
inline constexpr uint64_t kStoreFormat = 4;
// The most files that a store keeps open: descriptors that sockets must leave free for it.
inline constexpr int kStoreFilesMax = 256;

// Changes nothing on disk if it fails.
std::variant<std::unique_ptr<Table>, OpenError> OpenRocksdb(const RocksdbSettings& settings);

}  // namespace parley::storage
