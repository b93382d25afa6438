// Checks the inbox in both directions: computes the rows that each member must have from text fields and
// counted messages, and traces each existing row back to its thread and member.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "fanout/cells.h"
#include "fanout/keys.h"
#include "fanout/verify/thread_facts.h"
#include "storage/table.h"

namespace parley::fanout {

class InboxCheck {
 public:
  using Differs = std::function<void(const std::string&)>;
  using ThreadName = std::pair<TenantId, ThreadId>;

  // Skips the threads in `pending`, which the projection has not processed yet.
  InboxCheck(const storage::Reader& snapshot, protocol::Time now, const std::set<ThreadName>& pending,
             Differs differs)
      : snapshot_(snapshot), now_(now), pending_(pending), differs_(std::move(differs)) {}

  // Call once for each thread.
  void ExpectRowsOf(const ThreadFacts& facts);
  // Parts of ExpectRowsOf: one member's entry; the thread's wakes.
  void ExpectMember(const ThreadFacts& facts, const RawItem& member);
  void ExpectThread(const ThreadFacts& facts);
  // Reports a row that its thread does not need.
  void CheckRow(const TenantId& tenant, const UserId& user, const InboxKeyParts& key);
  // Call these after all threads. CheckRows adds the number of rows read to `rows`.
  storage::Status CheckRows(size_t* rows);
  storage::Status CheckSeats();
  storage::Status CheckWakes();

 private:
  struct Shown {
    size_t entries = 0, labels = 0;
  };
  void ExpectWake(const ThreadFacts& facts, threads::ClockTask kind, const std::string& at,
                  const UserId& user);
  void ExpectEntry(const ThreadFacts& facts, const RawItem& member);
  void CompareEntry(const ThreadFacts& facts, const RawItem& member, const std::string& payload,
                    const Differs& differ);
  std::optional<RawItem> Item(const TenantId& tenant, const ThreadId& thread, const storage::SortKey& sort);

  const storage::Reader& snapshot_;
  const protocol::Time now_;
  const std::set<ThreadName>& pending_;
  const Differs differs_;
  std::map<std::string, Shown> expected_, found_;        // by inbox partition
  std::map<std::string, CellCounts> counted_, claimed_;  // by inbox partition
};

}  // namespace parley::fanout
