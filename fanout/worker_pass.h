// The worker's state for each projection, and for one pass. For worker*.cc only.
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
  storage::Position cursor = 0;             // processed
  storage::Position saved = 0;              // on disk
  size_t pass_entries = 0;                  // the most in one pass
  std::deque<Renewal> renewals;             // one for each tenant with older rows
  size_t renewed_together = 0;              // threads renewed at once
  std::map<ThreadName, std::string> aside;  // with the reasons
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
  std::set<ThreadName> back;                // were set aside and can be read again
};

}  // namespace parley::fanout
