// One batch of the executor: the transaction that its commands run on, and the group of writes that is
// committed at its end.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "protocol/base/clock.h"
#include "storage/overlay.h"
#include "threads/engine/executor.h"

namespace parley::threads {

class Executor::Batch final : public Transaction {
 public:
  Batch(storage::Table& table, ThreadCache& cache, const protocol::Clock& clock, protocol::IdSource& ids,
        const ExecutorSettings& settings);

  // Runs one command and adds its decision's writes to the batch. Sets *onward if the command continues in
  // another thread.
  Answer Decide(const Job& job, std::optional<Onward>* onward);
  bool empty() const { return requests_.empty(); }
  size_t bytes() const { return bytes_; }
  // Moves the writes out for the commit. Decide must not be called afterwards.
  std::vector<storage::CommitRequest> TakeRequests() { return std::move(requests_); }
  // Processes the outcome of the commit: fills *changes and returns "", or returns the error.
  std::string Conclude(const storage::Status& status, std::span<const storage::CommitResult> results,
                       std::vector<CommittedChangePtr>* changes);
  // Ends the charges of decided commands: what they gave back makes room.
  void EndCharges() { paid_.clear(); }

  Result<std::optional<ThreadRow>> Thread(const TenantId& tenant, const ThreadId& thread) override;
  Result<std::optional<ParticipantRow>> Participant(const TenantId& tenant, const ThreadId& thread,
                                                    const UserId& user) override;
  Result<MembersPtr> MembersOf(const TenantId& tenant, const ThreadId& thread) override;
  Result<std::optional<IdempotencyRow>> Earlier(const TenantId& tenant, const ThreadId& thread,
                                                const UserId& owner, const ClientId& client) override;
  Result<bool> PairReported(const TenantId& tenant, const ThreadRow& head) override;
  Result<bool> IsKnown(const TenantId& tenant, const UserId& user) override {
    return settings_.is_known(table_, tenant, user, now_);
  }
  const Checks& checks() const override { return *settings_.checks; }
  CheckMemories& MemoriesOf(const TenantId& tenant, const ThreadId& thread) override;
  RowReader Rows(const TenantId& tenant) override;
  void Reserve(const storage::PartitionKey& partition, const storage::SortKey& sort,
               std::string payload) override;
  void Release(const storage::PartitionKey& partition, const storage::SortKey& sort) override;
  Moment moment() override { return {now_, &ids_}; }
  const SizeLimits& limits() const override { return settings_.limits; }
  TenantRules policy(const TenantId& tenant) const override { return settings_.policy(tenant); }
  size_t executor() const override { return settings_.shard.index; }
  void Keep(Charge::Answer taken) override;
  Time Kept() override { return kept_; }

 private:
  Answer DecideOne(const Job& job, std::optional<Onward>* onward);
  Result<MembersPtr> RecipientsOf(const TenantId& tenant, const ThreadId& thread, const Decision& decision,
                                  MembersPtr* after);
  // A thread's partition and its cache entry. A command often asks several times in a row for the same
  // thread.
  struct Place {
    TenantId tenant;
    ThreadId thread;
    storage::PartitionKey partition;
    CachedThread* cached = nullptr;
  };
  const Place& At(const TenantId& tenant, const ThreadId& thread);  // valid until the next call
  protocol::Status ReadRemembered(const Place& place);
  protocol::Status Accept(const TenantId& tenant, const ThreadId& thread, Decision& decision);
  protocol::Status FoldOldRows(const TenantId& tenant, const ThreadId& thread);
  void Push(storage::CommitRequest request);
  void PushPaid();

  storage::Table& table_;
  ThreadCache& cache_;
  protocol::IdSource& ids_;
  const ExecutorSettings& settings_;
  const protocol::Time now_, kept_;
  storage::Overlay overlay_;
  Place place_;
  CachedThread foreign_;                          // used for threads of another executor, and reset each time
  std::vector<storage::CommitRequest> reserved_;  // by the running command
  std::vector<std::unique_ptr<Taken>> paying_;    // by the running command
  std::vector<std::unique_ptr<Taken>> paid_;      // by decided commands, until they are on disk
  std::vector<storage::CommitRequest> requests_;  // the overlay points to their writes
  std::map<size_t, std::shared_ptr<CommittedChange>> changes_;  // request index → change
  TracePtr trace_;                                              // the running command's
  size_t bytes_ = 0;
  bool reports_changed_ = false;
};

// A batch between Begin and End.
struct Executor::Pending {
  std::optional<Batch> batch;  // nullopt: the executor accepts no writes
  std::vector<Job> onward;     // commands to continue in other threads once this is on disk
  std::vector<Finished> finished;
  std::chrono::steady_clock::time_point decided = {};  // for metrics only
  bool committed = false;
  std::string failure;  // why the commit failed

  bool commits() const { return batch && !batch->empty(); }
};

}  // namespace parley::threads
