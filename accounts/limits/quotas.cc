#include "accounts/limits/quotas.h"

#include <algorithm>

#include "protocol/base/reason.h"

namespace parley::accounts {

using protocol::Error;
using protocol::ErrorCode;
using protocol::MutexLock;
using protocol::Reason;
using protocol::Result;

// Guarded by the mutex of its Quotas, except for constant members.
struct Quotas::Subject {
  storage::PartitionKey partition;
  std::map<size_t, QuotaRow> rows;  // by executor
  QuotaRow all;                     // their sum
  std::list<Subjects::iterator>::iterator age;
};

namespace {

protocol::Status ReadRows(const storage::Reader& reader, const storage::PartitionKey& partition,
                          std::map<size_t, QuotaRow>* rows) {
  bool sound = true;
  const auto status =
      reader.Scan(partition, storage::SortRange::All(), storage::Direction::kForward, SIZE_MAX,
                  [&](std::string_view sort, storage::RowView row) {
                    size_t executor = 0;
                    sound = ParseQuotaKey(sort, &executor) && DecodeQuota(row.payload, &(*rows)[executor]);
                    return sound;
                  });
  if (!status.ok()) return ErrorFor(Reason::kStoreUnreadable, "the quota cannot be read now");
  if (!sound) return Error(ErrorCode::kInternal, "a quota's row cannot be read");
  return protocol::Ok();
}

QuotaRow SumOf(const std::map<size_t, QuotaRow>& rows) {
  QuotaRow out;
  for (const auto& [executor, row] : rows) {
    if (row.first_ms > 0 && (out.first_ms == 0 || row.first_ms < out.first_ms)) out.first_ms = row.first_ms;
    for (const Counted what : kAllCounted) out.Of(what).Merge(row.Of(what));
  }
  return out;
}

storage::CommitRequest WriteOf(const storage::PartitionKey& partition, storage::SortKey sort,
                               std::string payload) {
  storage::CommitRequest out;
  out.partition = partition;
  out.writes.push_back({std::move(sort), storage::Row{1, std::move(payload)}});
  return out;
}

// RATE_LIMITED unless all windows have room, with the longest time until one has.
protocol::Status HasRoom(const WindowCounts& counts, int64_t now_ms, const QuotaUse& use, QuotaLack* lack) {
  int64_t longest = 0;
  const Window* full = nullptr;
  for (const Window& window : use.windows) {
    const int64_t wait_ms = counts.WaitFor(now_ms, window, use.amount);
    if (wait_ms > longest) full = &window;
    longest = std::max(longest, wait_ms);
  }
  if (!full) return protocol::Ok();
  if (lack) *lack = {use.what, std::max<int64_t>(full->most - counts.Sum(now_ms, full->ms), 0)};
  Error error = ErrorFor(Reason::kQuotaUsedUp, "the quota of this hour or day is used up");
  error.retry_after_ms = longest;
  error.rate_limit = full->most;
  return error;
}

}  // namespace

Result<QuotaRow> ReadQuota(const storage::Reader& reader, const QuotaSubject& subject) {
  std::map<size_t, QuotaRow> rows;
  PARLEY_CHECK_OK(ReadRows(reader, QuotaPartition(subject), &rows));
  return SumOf(rows);
}

Quotas::Found Quotas::Find(const Counter& counter, const QuotaSubject& subject) {
  const auto partition = QuotaPartition(subject);
  if (const auto found = subjects_.find(partition); found != subjects_.end()) {
    by_age_.splice(by_age_.end(), by_age_, found->second->age);
    return found->second;
  }
  auto made = std::make_shared<Subject>();
  made->partition = partition;
  PARLEY_CHECK_OK(ReadRows(counter.reader, partition, &made->rows));
  made->all = SumOf(made->rows);
  MakeRoom();
  const auto placed = subjects_.emplace(partition, made).first;
  made->age = by_age_.insert(by_age_.end(), placed);
  return made;
}

void Quotas::MakeRoom() {
  for (size_t looked = by_age_.size(); looked > 0 && subjects_.size() >= most_; --looked) {
    const auto oldest = by_age_.front();
    if (oldest->second.use_count() > 1) {
      by_age_.splice(by_age_.end(), by_age_, by_age_.begin());
    } else {
      by_age_.pop_front();
      subjects_.erase(oldest);
    }
  }
}

Result<std::unique_ptr<Quotas::Counting>> Quotas::Count(const Counter& counter, const QuotaSubject& subject,
                                                        Counted what, std::span<const Window> windows) {
  const QuotaUse use{what, windows};
  return Take(counter, subject, {&use, 1}, nullptr);
}

Result<std::unique_ptr<Quotas::Counting>> Quotas::Take(const Counter& counter, const QuotaSubject& subject,
                                                       std::span<const QuotaUse> uses, QuotaLack* lack) {
  MutexLock lock(&mutex_);
  PARLEY_TRY(found, Find(counter, subject));
  const int64_t now_ms = counter.now.ms;
  for (const QuotaUse& use : uses) PARLEY_CHECK_OK(HasRoom(found->all.Of(use.what), now_ms, use, lack));
  std::unique_ptr<Counting> out(new Counting(*this, subject, found, counter.executor, now_ms));
  QuotaRow& own = found->rows[counter.executor];
  for (const QuotaUse& use : uses) {
    WindowCounts& all = found->all.Of(use.what);
    int64_t slot = all.SlotAt(use.counted_ms);
    if (use.amount > 0) {
      slot = all.Add(now_ms, use.amount);
      own.Of(use.what).AddTo(slot, use.amount);
    }
    out->changes_.push_back({use.what, slot, use.amount});
  }
  return out;
}

Quotas::Counting::~Counting() {
  MutexLock lock(&quotas_.mutex_);
  for (const Change& change : changes_) {
    WindowCounts& all = subject_->all.Of(change.what);
    if (change.amount < 0) {
      if (stands_ && all.Keeps(change.slot, now_ms_)) all.AddTo(change.slot, change.amount);
    } else if (!stands_) {
      all.Remove(change.slot, change.amount);
      subject_->rows[executor_].Of(change.what).Remove(change.slot, change.amount);
    }
  }
}

std::vector<storage::CommitRequest> Quotas::Counting::Stand() {
  MutexLock lock(&quotas_.mutex_);
  stands_ = true;
  QuotaRow& row = subject_->rows[executor_];
  for (const Change& change : changes_) {
    if (change.amount < 0) row.Of(change.what).AddTo(change.slot, change.amount);
  }
  if (row.first_ms == 0) row.first_ms = now_ms_;
  if (subject_->all.first_ms == 0) subject_->all.first_ms = now_ms_;
  for (QuotaRow* one : {&row, &subject_->all}) {
    for (const Counted what : kAllCounted) one->Of(what).Drop(now_ms_);
  }
  std::vector<storage::CommitRequest> out;
  // A place that is due may have been removed by a sweep, together with the row: write both again.
  if (row.due_ms <= now_ms_) {
    row.due_ms = now_ms_ + kQuotaKeptMs;
    const auto place = QuotaPlaceKey({executor_, {row.due_ms}, whose_.who});
    out.push_back(WriteOf(QuotaDuePartition(whose_.tenant), place, {}));
  }
  out.push_back(WriteOf(subject_->partition, QuotaKey(executor_), EncodeQuota(row)));
  return out;
}

Result<int64_t> Quotas::Used(const Counter& counter, const QuotaSubject& subject, Counted what,
                             int64_t window_ms) {
  MutexLock lock(&mutex_);
  PARLEY_TRY(found, Find(counter, subject));
  return found->all.Of(what).Sum(counter.now.ms, window_ms);
}

Result<std::optional<protocol::Time>> Quotas::FirstCounted(const Counter& counter,
                                                           const QuotaSubject& subject) {
  MutexLock lock(&mutex_);
  PARLEY_TRY(found, Find(counter, subject));
  return found->all.first_ms > 0 ? std::optional(protocol::Time{found->all.first_ms}) : std::nullopt;
}

size_t Quotas::size() const {
  MutexLock lock(&mutex_);
  return subjects_.size();
}

}  // namespace parley::accounts
