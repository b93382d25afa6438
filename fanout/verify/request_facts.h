// What must hold of message requests and of what they cost: each request is noted for its pair and found by
// its id, and a user's ledger says what the conversations cost that they began with strangers. Two know each
// other by a booking or by a request that was accepted, and by nothing else: a project that a user made is no
// booking, a booking has no open request, and a user with an accepted invitation is a member.
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
  void ExpectBinding(const ThreadFacts& facts);
  void ExpectInvited(const ThreadFacts& facts);
  void CheckContact(const storage::PartitionKey& partition, const protocol::UserId& other,
                    const protocol::ThreadId& thread, const storage::RowView& row);
  void CheckMember(const protocol::TenantId& tenant, const protocol::ThreadId& thread,
                   const protocol::UserId& user);
  void CheckLead(const storage::PartitionKey& partition, const storage::SortKey& sort,
                 const storage::RowView& row);

  const storage::Reader& snapshot_;
  const Differs differs_;
  std::map<std::string, std::string> contacts_;  // CONTACT# rows that threads ask for: where, and the state
  std::set<std::string> found_;                  // REQUEST# rows that threads ask for: where
  std::set<std::string> open_;                   // threads that others may be asked into
  std::set<std::string> swept_;                  // those from which rows of former members may be gone
  std::map<std::string, std::map<int64_t, int64_t>> costs_;  // by whose, and month
};

}  // namespace parley::fanout
