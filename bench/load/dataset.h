// Stores on disk in the state that a server leaves: filled through the executor and the projections, many
// commands per commit, so that `parleyctl verify` and the server accept them.
//
// Filled stores can be kept in a directory: each plan is filled once, and measurements work on a clone, whose
// table files are hard links to the kept ones (RocksDB writes a table file once, and then only removes it).
// Only one process at a time may fill or clone.
#pragma once

#include <string>
#include <vector>

#include "bench/process/server_process.h"
#include "protocol/base/ids.h"

namespace parley::bench {

struct DatasetPlan {
  size_t threads = 1000, members = 10, messages = 300'000, body_bytes = 200;
  // Additional threads, and the messages in them.
  size_t more_threads = 0, more_messages = 0;
  // A user who is the last member of each of `threads`, but of none of the others; empty: none.
  std::string everywhere;
  bool compacted = false;  // otherwise as the filling left it
};

// Users are `u{thread}_{member}`. Returns the first `threads`, in order. Reports its progress on stderr.
std::vector<protocol::ThreadId> FillStore(const std::string& dir, const DatasetPlan& plan);

// Clones a stopped store (or one whose server was killed) cheaply; neither copy changes the other. REQUIRES:
// `to` is empty and on the same file system, otherwise files are copied.
void CloneStore(const std::string& from, const std::string& to);

class Dataset {
 public:
  // In a directory of its own below `scratch`. `keep`: the directory of filled stores; empty: keeps none.
  Dataset(const std::string& scratch, const std::string& keep, const DatasetPlan& plan);
  const std::string& dir() const { return dir_.path(); }
  const std::vector<protocol::ThreadId>& threads() const { return threads_; }

 private:
  const ScratchDir dir_;
  std::vector<protocol::ThreadId> threads_;
};

}  // namespace parley::bench
