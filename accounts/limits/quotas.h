// Quotas by the hour and by the day that are exact under concurrency and outlive a restart: a user's starts
// and messages, the messages of all of a tenant's bots.
//
// Counted where the send is decided, and written in the same group commit as the send: a message that is on
// disk has been counted, and one that is not has not. Projecting them from the change log would lag behind
// it, so that a quick row of sends would come through; a counter in the thread's own partition would know
// only that thread. Several executors decide at once, so what they share, and each asks first, is this object
// in memory; on disk each executor has a row of its own, because two that wrote the same row could commit in
// the other order than they counted. A subject that is not in memory is read from its rows, which are its
// sum.
//
// A subject stays in memory while anything of it is not on disk yet (a Counting is alive), so what is read
// back is complete. Beyond kSubjectsMax the one that was not asked for the longest goes.
//
// Thread contract: any thread. A Counting belongs to the executor that took it.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "accounts/limits/quota_row.h"
#include "protocol/base/mutex.h"
#include "protocol/base/result.h"
#include "storage/table.h"

namespace parley::accounts {

// Who counts: what they see (the store, and what they have decided themselves), and which row is theirs.
struct Counter {
  const storage::Reader& reader;
  size_t executor = 0;
  protocol::Time now;
};

// What the rows of all executors come to. UNAVAILABLE or INTERNAL: they cannot be read.
protocol::Result<QuotaRow> ReadQuota(const storage::Reader& reader, const QuotaSubject& subject);

class Quotas {
  struct Subject;

 public:
  static constexpr size_t kSubjectsMax = 50'000;
  explicit Quotas(size_t most = kSubjectsMax) : most_(most) {}

  // Something counted that is not yet decided: given back when it goes without having stood.
  class Counting {
   public:
    ~Counting();
    // It is decided: the rows that have to be in the same commit. This lives until they are on disk.
    std::vector<storage::CommitRequest> Stand();

   private:
    friend class Quotas;
    Counting(Quotas& quotas, QuotaSubject whose, std::shared_ptr<Subject> subject, Counted what,
             size_t executor, int64_t slot, int64_t now_ms)
        : quotas_(quotas),
          whose_(std::move(whose)),
          subject_(std::move(subject)),
          what_(what),
          executor_(executor),
          slot_(slot),
          now_ms_(now_ms) {}
    Quotas& quotas_;
    const QuotaSubject whose_;
    const std::shared_ptr<Subject> subject_;
    const Counted what_;
    const size_t executor_;
    const int64_t slot_, now_ms_;
    bool stands_ = false;
  };

  // Counts one more, or RATE_LIMITED with the time until there is room in all windows. UNAVAILABLE or
  // INTERNAL if the rows cannot be read.
  protocol::Result<std::unique_ptr<Counting>> Count(const Counter& counter, const QuotaSubject& subject,
                                                    Counted what, std::span<const Window> windows);
  // How many were counted in the window that ends now.
  protocol::Result<int64_t> Used(const Counter& counter, const QuotaSubject& subject, Counted what,
                                 int64_t window_ms);
  // When the subject was first counted; nullopt: never.
  protocol::Result<std::optional<protocol::Time>> FirstCounted(const Counter& counter,
                                                               const QuotaSubject& subject);
  size_t size() const;

 private:
  using Found = protocol::Result<std::shared_ptr<Subject>>;
  Found Find(const Counter& counter, const QuotaSubject& subject) REQUIRES(mutex_);
  void MakeRoom() REQUIRES(mutex_);

  const size_t most_;
  mutable protocol::Mutex mutex_;
  using Subjects = std::map<storage::PartitionKey, std::shared_ptr<Subject>>;
  Subjects subjects_ GUARDED_BY(mutex_);
  std::list<Subjects::iterator> by_age_ GUARDED_BY(mutex_);  // asked for longest ago first
};

}  // namespace parley::accounts
