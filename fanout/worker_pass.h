// Defines the worker's state of each projection and of one pass. For worker*.cc only.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "fanout/renewal.h"
#include "fanout/worker.h"

namespace parley::fanout {

struct Worker::Runner {
  std::unique_ptr<Projection> projection;
  storage::Position cursor = 0;             // looked at
  storage::Position saved = 0;              // on disk
  size_t pass_entries = 0;                  // taken together at most
  std::deque<Renewal> renewals;             // of tenants
  size_t renewed_together = 0;              // threads
  std::map<ThreadName, std::string> aside;  // and why
  std::atomic<size_t> aside_count{0};
  Watermark watermark;
  protocol::Counter entries, threads, rows;
  protocol::Histogram coalesced;
};

// The log entries of a pass, merged by thread.
struct Worker::Pass {
  DirtyThreads dirty;
  storage::Position last = 0;
  size_t entries = 0;
  Projected projected;
  std::map<ThreadName, std::string> aside;  // unreadable threads and the reason
  std::set<ThreadName> back;                // was set aside and can be read again
};

}  // namespace parley::fanout
