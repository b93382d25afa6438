// Checks message requests and their costs: each request has a CONTACT# row for its pair and can be found by
// its id, and a user's ledger has the cost of the conversations that they began with strangers. Only a
// booking or an accepted request makes two users contacts: a project created by a user is not a booking, a
// booking has no open request, and a user with an accepted invitation is a member.
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

  // Call once for each thread.
  void Expect(const ThreadFacts& facts);
  // Checks the ledgers, and reports rows that no thread needs. Call after all threads.
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
  std::map<std::string, std::string> contacts_;  // state of the CONTACT# rows that threads need, by key
  std::set<std::string> found_;                  // keys of the REQUEST# rows that threads need
  std::set<std::string> open_;                   // threads to which users may be invited
  std::set<std::string> swept_;                  // threads that may have lost rows of former members
  std::map<std::string, std::map<int64_t, int64_t>> costs_;  // by user and month
};

}  // namespace parley::fanout
