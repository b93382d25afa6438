// A RocksDB Env on real files whose power can be cut: from then on nothing reaches the disk, and unsynced
// bytes are lost, except for a random part.
//
// Model:       a file keeps the bytes up to its last sync and a random prefix of the rest. A file whose
//              directory was not synced since it was created may be gone altogether.
// Limitations: renames and deletions count as durable at once (on a journalling file system they are in
//              order).
// Concurrency: thread-safe.
#pragma once

#include <rocksdb/env.h>

#include <memory>
#include <string>

namespace parley::storage {

class ForgetfulDisk;

class ForgetfulEnv {
 public:
  // `seed` decides how much of the unsynced bytes survives.
  explicit ForgetfulEnv(uint64_t seed);
  ~ForgetfulEnv();

  rocksdb::Env* env() const { return env_.get(); }

  // Cuts the power during the n-th write, sync, creation, rename or deletion from now on; 1 is the next.
  void CutAfter(uint64_t operations);
  bool is_cut() const;
  // Changes the files to their content after the cut. REQUIRES: nothing is open.
  void ForgetUnsynced();

  // Until cleared, writing to files of one kind (or syncing them) fails as on a broken or full disk, and has
  // no effect.
  enum class Fault : uint8_t { kNone, kWalAppend, kWalSync, kWalNoSpace, kTableAppend };
  void Fail(Fault fault);

 private:
  const std::shared_ptr<ForgetfulDisk> disk_;
  std::unique_ptr<rocksdb::Env> env_;
};

}  // namespace parley::storage
