// Checks one thread or one user's inbox at a time while the server runs, with verify's code, under a
// snapshot. It skips everything that the projections have not processed yet or that would cost too much to
// compute, so each reported difference is a fault.
//
// Bounded: a thread with few rows is checked completely. In a large thread, it checks the redactions in the
// newest messages, and a sample of members whose unread number follows from these messages; in a large inbox,
// a sample of rows.
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
  size_t pending = 20'000;  // checks nothing if a projection lags by more log entries
  size_t members = 64;      // checked in a large thread
  size_t messages = 500;
  size_t cards = 500;
  size_t thread_rows = 5000;    // a thread with more is large
  size_t inbox_rows = 100'000;  // an inbox with more is not counted
  size_t entries = 200;         // rows checked of an inbox
};

class Scrub {
 public:
  // Returns the position that every projection has reached; called before each look.
  using Watermarks = std::function<storage::Position()>;
  Scrub(const storage::Table& table, const protocol::Clock& clock, Watermarks projected, uint64_t seed,
        ScrubLimits limits = {});

  struct Look {
    size_t rows = 0;      // rows read
    bool thread = false;  // checked a thread
    bool inbox = false;   // checked an inbox
    std::vector<std::string> differences;
    std::vector<RepairOrder> repairs;  // for the differences in derived rows
  };
  // Checks a random thread, with as many of its members as the limits allow.
  Look LookAtThread(const TenantId& tenant);
  // Checks the inbox after the last one, in order of users; starts from a member of a random thread.
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
