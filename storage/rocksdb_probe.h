// Inspects a directory before anything in it is touched: is it a store, ours, unlocked, and of a format that
// we know?
#pragma once

#include <optional>
#include <set>
#include <string>

#include "storage/rocksdb_internal.h"
#include "storage/store_meta.h"

namespace parley::storage {

// Holds RocksDB's lock file, so that no other process opens the store meanwhile. Never creates one: a
// directory without it is not open.
class StoreLock {
 public:
  StoreLock(std::string dir, rocksdb::Env* env) : path_(std::move(dir) + "/LOCK"), env_(env) {}
  ~StoreLock() { Release(); }
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

  // nullopt: held, or there is nothing to hold.
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
// nullopt: `out` says what it is.
std::optional<OpenError> InspectDirectory(const RocksdbSettings& settings, DirectoryState* out);

// What META says. Left empty when the creation of the store was interrupted before META was written.
// REQUIRES: InspectDirectory() said kStore; the store is locked.
std::optional<OpenError> ProbeStore(const std::string& dir, rocksdb::Env* env, std::optional<StoreMeta>* out);

// Replaying a WAL may write table files before it reaches the damage that ends it. Removes those, so that a
// failed opening leaves nothing behind.
class LeftoverTables {
 public:
  explicit LeftoverTables(std::string dir);  // before the opening
  // REQUIRES: the store is locked.
  void Remove() const;

 private:
  const std::string dir_;
  const std::string current_;  // every opening that succeeds changes CURRENT
  const std::set<std::string> before_;
};

// What a failed opening means, for a person.
OpenError DescribeOpenFailure(const std::string& dir, const rocksdb::Status& status);
OpenError DamagedStore(const std::string& dir, const std::string& detail);

}  // namespace parley::storage
