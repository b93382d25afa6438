// The proof of the inbox, in small pieces and while the server runs: looks at one thread, or at one user's
// inbox, with verify's own code, under a snapshot. What the projections have yet to process is not judged,
// and neither is what would cost too much to compute, so whatever it reports is wrong.
//
// Bounded: a thread of few rows is judged as a whole, by everything that must hold within it. Of a large one
// it examines what was redacted of the newest messages, and some members, only those whose unread number
// follows from these messages; of a large inbox, some rows.
//
// Thread contract: one thread at a time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "fanout/upkeep.h"
#include "protocol/base/clock.h"
#include "storage/table.h"

namespace parley::fanout {

struct ScrubLimits {
  size_t pending = 20'000;  // log entries that a projection may be behind; beyond that nothing is judged
  size_t members = 64;      // of a thread
  size_t messages = 500;
  size_t cards = 500;
  size_t thread_rows = 5000;    // of a thread that is judged as a whole
  size_t inbox_rows = 100'000;  // an inbox is counted up to here
  size_t entries = 200;         // of an inbox
};

class Scrub {
 public:
  // The lowest position that every projection includes, requested before each look.
  using Watermarks = std::function<storage::Position()>;
  Scrub(const storage::Table& table, const protocol::Clock& clock, Watermarks projected, uint64_t seed,
        ScrubLimits limits = {});

  struct Look {
    size_t rows = 0;      // read
    bool thread = false;  // what was judged
    bool inbox = false;
    std::vector<std::string> differences;
    std::vector<RepairOrder> repairs;  // that would repair those of derived rows
  };
  // A thread drawn at random, with as many of its members as the limits allow.
  Look LookAtThread(const TenantId& tenant);
  // The inbox after the one examined last, in order of users; the first time, a random user's.
  Look LookAtInbox(const TenantId& tenant);

 private:
  struct Round;
  using ThreadName = std::pair<TenantId, ThreadId>;
  void JudgeRows(Round& round, const TenantId& tenant, const ThreadId& thread) const;
  bool FindPending(storage::Position from, std::set<ThreadName>* out) const;
  std::optional<ThreadId> DrawThread(const storage::Reader& reader, const TenantId& tenant);
  std::optional<UserId> NextUser(const storage::Reader& reader, const TenantId& tenant);
  uint64_t Draw() { return random_(); }

  const storage::Table& table_;
  const protocol::Clock& clock_;
  const Watermarks projected_;
  const ScrubLimits limits_;
  std::mt19937_64 random_;
  std::map<TenantId, std::string> walked_;  // the last user whose inbox was examined
};

}  // namespace parley::fanout
