// Inspects a directory before anything in it is touched: whether it is a store, ours, unlocked, and of a
// known format.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "storage/rocksdb_internal.h"
#include "storage/store_meta.h"

namespace parley::storage {

// Takes RocksDB's lock file, so that no other process opens the store. Never creates one: a directory without
// it is not open.
class StoreLock {
 public:
  StoreLock(std::string dir, rocksdb::Env* env) : path_(std::move(dir) + "/LOCK"), env_(env) {}
  ~StoreLock() { Release(); }
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

  // Returns nullopt if it has the lock, or if there is no lock file.
  std::optional<OpenError> Take(bool read_only);
  void Release();

 private:
  const std::string path_;
  rocksdb::Env* const env_;
  rocksdb::FileLock* held_ = nullptr;
};

enum class DirectoryState : uint8_t {
  kFresh,  // missing, empty, or with the traces of a creation that was interrupted before anything was
           // written
  kStore,  // a RocksDB database
};
// Sets `out` and returns nullopt, or returns the error.
std::optional<OpenError> InspectDirectory(const RocksdbSettings& settings, DirectoryState* out);

// Reads META. Leaves `out` empty if the creation of the store was interrupted before META was written.
// REQUIRES: InspectDirectory() returned kStore; the store is locked.
std::optional<OpenError> ProbeStore(const std::string& dir, rocksdb::Env* env, std::optional<StoreMeta>* out);

// Replaying a WAL may write table files before it fails on damage. Removes those, so that a failed opening
// leaves nothing in the directory.
class LeftoverTables {
 public:
  explicit LeftoverTables(std::string dir);  // call it before the opening
  // REQUIRES: the store is locked.
  void Remove() const;

 private:
  const std::string dir_;
  const std::string current_;  // every successful opening changes CURRENT
  const std::set<std::string> before_;
};

// Explains a failed opening to a person.
OpenError DescribeOpenFailure(const std::string& dir, const rocksdb::Status& status);
OpenError DamagedStore(const std::string& dir, const std::string& detail);

}  // namespace parley::storage
