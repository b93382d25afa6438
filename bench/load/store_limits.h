// The rate at which RocksDB itself, with Parley's options, commits the rows that sends write: the maximum for
// any server on this store.
#pragma once

#include <string>
#include <vector>

#include "bench/load/recorded_rows.h"

namespace parley::bench {

struct StoreLimit {
  double commits_per_second = 0;
  double cpu_us_per_commit = 0;  // the whole process's, background work included
};

// One committer, `group` messages in one batch with one sync, batch after batch.
StoreLimit MeasureCommitter(const std::string& dir, const std::vector<PhysicalCommit>& commits, size_t group);

// `writers` threads, each writing one message at a time with a separate sync (RocksDB groups them in its
// usual way).
StoreLimit MeasureIndependentWriters(const std::string& dir, const std::vector<PhysicalCommit>& commits,
                                     size_t writers);

// Seconds to open a store whose WAL was not flushed: only the replay.
double MeasureReplay(const std::string& dir);

// Flushes and compacts everything, so that only lasting bytes are counted.
void CompactStore(const std::string& dir);

// Median of appending `bytes` to a file and fdatasync, in nanoseconds.
int64_t MeasureSync(const std::string& dir, size_t bytes, int times);

}  // namespace parley::bench
