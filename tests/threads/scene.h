// Decides commands one after another over rows in memory: no table, no commit, no thread. Reports decisions
// as text and checks the invariants of each (seqs without gaps, one LOG# row per event, items and head
// agreeing).
#pragma once

#include <gtest/gtest.h>

#include <list>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "storage/memory_table.h"
#include "storage/overlay.h"
#include "tests/threads/fakes.h"
#include "tests/threads/op_text.h"
#include "threads/cards/change_card.h"
#include "threads/engine/transaction.h"
#include "threads/model/pair_reports.h"
#include "threads/operations.h"

namespace parley::threads {

class Scene final : public Transaction {
 public:
  Scene();

  // Decides one line and applies the decision. A line may also advance the clock: +16m, -1h.
  //
  //   "4 message.created M1 buyer 'hello'"   events, and "personal buyer: …" for a change without one
  //   "nothing"                              an answer that changes nothing
  //   "FORBIDDEN"                            a rejection, which changes nothing
  std::string Do(std::string_view line);
  // Runs the clock's work on the cards of T; reported as by Do.
  std::string Lapse();
  // The audit record of a card at `seq`.
  CardAudit Audit(int64_t seq);
  // Does lines separated by ';'; fails the test unless all are accepted.
  void Given(std::string_view lines);

  // A part of the last reply (see Pick).
  std::string Reply(std::string_view path) const { return Pick(decision.reply, path, names); }
  // The rows as they are now.
  ThreadRow Head() { return *Rows(TenantId{"demo"}).Thread(ThreadNamed("T")).value(); }
  ParticipantRow Member(const std::string& user) {
    return *Rows(TenantId{"demo"}).Participant(ThreadNamed("T"), UserId{user.c_str()}).value();
  }
  int64_t UnreadOf(const std::string& user);
  // Stores another count of T's members, for bounds that thousands of ops would reach.
  void SetMemberCount(size_t count);
  ThreadId ThreadNamed(const std::string& name) const { return *ThreadId::FromText(names.IdOf(name)); }
  MessageId MessageNamed(const std::string& name) const { return *MessageId::FromText(names.IdOf(name)); }

  FakeClock clock;
  Names names;
  Decision decision;     // the last one
  bool accepted = true;  // false if the last line was rejected
  TenantRules tenant_policy;
  std::set<std::string> known_users;                     // for policies that require records
  std::set<std::pair<std::string, std::string>> blocks;  // blocker, blocked
  std::map<std::string, Sanction> sanctions;
  Messaging messaging = Messaging::kOpen;
  std::map<std::string, Messaging> switched;  // by city
  SizeLimits command_limits;
  // Applies only the reservations of the next accepted command, like a crash between the two commits.
  bool lose_next = false;
  // Keeps LOG# rows whose item changed again, as earlier versions did.
  bool keep_stale = false;

  Result<std::optional<ThreadRow>> Thread(const TenantId& tenant, const ThreadId& thread) override {
    return Rows(tenant).Thread(thread);
  }
  Result<std::optional<ParticipantRow>> Participant(const TenantId& tenant, const ThreadId& thread,
                                                    const UserId& user) override {
    return Rows(tenant).Participant(thread, user);
  }
  Result<MembersPtr> MembersOf(const TenantId& tenant, const ThreadId& thread) override;
  Result<std::optional<IdempotencyRow>> Earlier(const TenantId& tenant, const ThreadId& thread,
                                                const UserId& owner, const ClientId& client) override {
    return Rows(tenant).Idempotency(thread, owner, client);
  }
  Result<bool> PairReported(const TenantId& tenant, const ThreadRow& head) override {
    return IsPairReported(Rows(tenant), head.item);
  }
  Result<bool> IsKnown(const TenantId&, const UserId& user) override {
    return known_users.contains(user.ToText());
  }
  RowReader Rows(const TenantId& tenant) override { return RowReader(rows_, tenant); }
  void Reserve(const storage::PartitionKey& partition, const storage::SortKey& sort,
               std::string payload) override;
  void Release(const storage::PartitionKey& partition, const storage::SortKey& sort) override;
  Moment moment() override { return {clock.Now(), ids_.get()}; }
  const SizeLimits& limits() const override { return command_limits; }
  const Checks& checks() const override { return checks_; }
  CheckMemories& MemoriesOf(const TenantId&, const ThreadId&) override { return memories_; }
  TenantRules policy(const TenantId&) const override { return tenant_policy; }

 private:
  struct Reserved {
    storage::PartitionKey partition;
    storage::SortKey sort;
    std::optional<std::string> payload;  // nullopt if released
  };
  // The same checks as of the features, on the sets above.
  void AddChecks();
  Result<Decision> Decide(const Call& call);
  std::string TakeOver(const Call& call);
  std::string TakeOver(const TenantId& tenant, const ThreadId& thread);
  void CheckDecision(const storage::PartitionKey& partition, int64_t last_seq);
  std::string DecisionText() const;

  std::unique_ptr<storage::MemoryTable> nothing_ = storage::NewMemoryTable();
  std::list<storage::RowWrite> written_;  // owns the rows that rows_ points to
  storage::Overlay rows_{*nothing_};
  std::unique_ptr<protocol::IdSource> ids_ = protocol::NewSeededIdSource(7);
  Checks checks_;
  CheckMemories memories_;  // stay empty
  std::vector<Reserved> reserved_;
  int threads_ = 0;
};

// One behaviour per row: in a fresh scene with an inquiry T between buyer and seller (created by the buyer,
// seqs 1 to 3), after `given`, `when` results in `then`.
struct SceneRow {
  std::string_view given;
  std::string_view when;
  std::string_view then;
};
void ExpectRows(const std::vector<SceneRow>& rows);

// For `given`: two lists of lines as one.
inline std::string Then(std::string_view first, std::string_view second) {
  return std::string(first) + "; " + std::string(second);
}
// For `given`: locks the thread.
inline constexpr std::string_view kLocked = "ann(admin) thread.setStatus status=locked reason=r";

// A scene with the thread T.
class ThreadScene : public testing::Test {
 protected:
  ThreadScene() { scene.Given("buyer thread.create"); }
  Scene scene;
};

}  // namespace parley::threads
