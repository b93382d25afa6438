// What must hold of message requests and of what they cost: each request is noted for its pair and found by
// its id, and a user's ledger says what the conversations cost that they began with strangers.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "fanout/verify/thread_facts.h"
#include "storage/table.h"

namespace parley::fanout {

class RequestCheck {
 public:
  using Differs = std::function<void(const std::string&)>;
  RequestCheck(const storage::Reader& snapshot, Differs differs)
      : snapshot_(snapshot), differs_(std::move(differs)) {}

  // Once for each thread.
  void Expect(const ThreadFacts& facts);
  // Once all threads were seen: the rows that none of them asks for, and the ledgers.
  storage::Status CheckRows();

 private:
  void ExpectContact(const ThreadFacts& facts);
  void ExpectFound(const ThreadFacts& facts);
  void CheckLead(const storage::PartitionKey& partition, const storage::SortKey& sort,
                 const storage::RowView& row);

  const storage::Reader& snapshot_;
  const Differs differs_;
  std::map<std::string, std::string> contacts_;  // CONTACT# rows that threads ask for: where, and the state
  std::set<std::string> found_;                  // REQUEST# rows that threads ask for: where
  std::set<std::string> open_;                   // threads that others may be asked into
  std::map<std::string, std::map<int64_t, int64_t>> costs_;  // by whose, and month
};

}  // namespace parley::fanout
