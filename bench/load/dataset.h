// Stores on disk as a server would leave them: filled through the executor and the projections, many commands
// a commit, so that `parleyctl verify` and the server find nothing to object to.
//
// A filled store can be kept: with a directory to keep stores in, each plan is filled once, and what is
// measured works on a clone, whose table files are the kept ones' by hard link (RocksDB writes a table file
// once, and then only removes it). Only one process at a time may fill or clone.
#pragma once

#include <string>
#include <vector>

#include "bench/process/server_process.h"
#include "protocol/base/ids.h"

namespace parley::bench {

struct DatasetPlan {
  size_t threads = 1000, members = 10, messages = 300'000, body_bytes = 200;
  // Threads beside those, and the messages in them.
  size_t more_threads = 0, more_messages = 0;
  // A user who is the last member of each of `threads`, but of none of the others; empty: none.
  std::string everywhere;
  bool compacted = false;  // else as the filling left it
};

// Users are `u{thread}_{member}`. Returns the first `threads`, in order. Reports its progress on stderr.
std::vector<protocol::ThreadId> FillStore(const std::string& dir, const DatasetPlan& plan);

// What a stopped store (or one whose server was killed) is made of, under another name: cheap, and neither
// changes the other. REQUIRES: `to` is empty and on the same file system, else files are copied.
void CloneStore(const std::string& from, const std::string& to);

class Dataset {
 public:
  // In a directory of its own below `scratch`. `keep`: where filled stores are kept; empty: nowhere.
  Dataset(const std::string& scratch, const std::string& keep, const DatasetPlan& plan);
  const std::string& dir() const { return dir_.path(); }
  const std::vector<protocol::ThreadId>& threads() const { return threads_; }

 private:
  const ScratchDir dir_;
  std::vector<protocol::ThreadId> threads_;
};

}  // namespace parley::bench
