// Proof of the inbox: for each member of each thread, what their inbox must contain, computed from text
// fields and counted messages, and for each row that it does contain, where the row comes from.
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

  // `pending`: threads that the projection has yet to process; neither their rows nor the absence of rows is
  // judged.
  InboxCheck(const storage::Reader& snapshot, protocol::Time now, const std::set<ThreadName>& pending,
             Differs differs)
      : snapshot_(snapshot), now_(now), pending_(pending), differs_(std::move(differs)) {}

  // Once for each thread.
  void ExpectRowsOf(const ThreadFacts& facts);
  // The parts of it: one member's entry; the thread's wakes.
  void ExpectMember(const ThreadFacts& facts, const RawItem& member);
  void ExpectThread(const ThreadFacts& facts);
  // Whether a row found in an inbox is one that its thread asks for.
  void CheckRow(const TenantId& tenant, const UserId& user, const InboxKeyParts& key);
  // Once all threads were seen. Adds the number of rows read.
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
