// Quotas that are exact under concurrency and survive a restart: by the hour and by the day of a user's
// starts, messages and uploads, and of the messages of all of a tenant's bots; and levels, of a user's
// incomplete uploads and a tenant's stored bytes.
//
// Counted where the send is decided, and written in the same group commit as the send: so exactly the
// messages on disk are counted. A projection of the change log would lag, so that a quick burst of sends
// would pass; a counter in the thread's own partition would know only that thread. Several executors decide
// at once, so they share this object in memory and ask it first; on disk each executor has a row of its own,
// because two executors writing the same row could commit in another order than they counted. A subject that
// is not in memory is read from its rows, which add up to it.
//
// A count that is given back makes room once that is on disk; if the server ended before, another command
// would have used room that the count still takes.
//
// A subject stays in memory until all its counts are on disk (a Counting is alive), so rows that are read
// back are complete. Beyond kSubjectsMax the least recently used subject is evicted.
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

// The counting executor: its view (the store plus its own decisions), and the number of its row.
struct Counter {
  const storage::Reader& reader;
  size_t executor = 0;
  protocol::Time now;
};

// Adds up the rows of all executors. UNAVAILABLE or INTERNAL: they cannot be read.
protocol::Result<QuotaRow> ReadQuota(const storage::Reader& reader, const QuotaSubject& subject);

// A change of one of a subject's counts.
struct QuotaUse {
  Counted what = Counted::kStarts;
  std::span<const Window> windows = {};  // the limits; REQUIRED: none for a negative amount
  int64_t amount = 1;                    // negative: gives back, a kind for which IsGivenBack
  int64_t counted_ms = 0;                // time of the count that is given back
};
// The limit that rejected a change.
struct QuotaLack {
  Counted what = Counted::kStarts;
  int64_t left = 0;
};

class Quotas {
  struct Subject;

 public:
  static constexpr size_t kSubjectsMax = 50'000;
  explicit Quotas(size_t most = kSubjectsMax) : most_(most) {}

  // Changes whose command is not decided yet: reverted on destruction unless `Stand()` was called.
  class Counting {
   public:
    ~Counting();
    // The command is decided: returns the rows that must be in the same commit. Keep this object until they
    // are on disk.
    std::vector<storage::CommitRequest> Stand();

   private:
    friend class Quotas;
    struct Change {
      Counted what;
      int64_t slot, amount;
    };
    Counting(Quotas& quotas, QuotaSubject whose, std::shared_ptr<Subject> subject, size_t executor,
             int64_t now_ms)
        : quotas_(quotas),
          whose_(std::move(whose)),
          subject_(std::move(subject)),
          executor_(executor),
          now_ms_(now_ms) {}
    Quotas& quotas_;
    const QuotaSubject whose_;
    const std::shared_ptr<Subject> subject_;
    const size_t executor_;
    const int64_t now_ms_;
    std::vector<Change> changes_ = {};
    bool stands_ = false;
  };

  // Counts one more, or returns RATE_LIMITED with the time until all windows have room. UNAVAILABLE or
  // INTERNAL if the rows cannot be read.
  protocol::Result<std::unique_ptr<Counting>> Count(const Counter& counter, const QuotaSubject& subject,
                                                    Counted what, std::span<const Window> windows);
  // Makes all of the changes, or none: RATE_LIMITED as above, and then `*lack` is the limit, unless `lack` is
  // nullptr.
  protocol::Result<std::unique_ptr<Counting>> Take(const Counter& counter, const QuotaSubject& subject,
                                                   std::span<const QuotaUse> uses, QuotaLack* lack);
  // The count in the window that ends now.
  protocol::Result<int64_t> Used(const Counter& counter, const QuotaSubject& subject, Counted what,
                                 int64_t window_ms);
  // The time of the subject's first count, or nullopt.
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
  std::list<Subjects::iterator> by_age_ GUARDED_BY(mutex_);  // least recently used first
};

}  // namespace parley::accounts
