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
    out.starts.Merge(row.starts);
    out.sends.Merge(row.sends);
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

// The longest time until a window has room; *most is that window's limit.
int64_t LongestWait(const WindowCounts& counts, int64_t now_ms, std::span<const Window> windows,
                    int64_t* most) {
  int64_t longest = 0;
  for (const Window& window : windows) {
    const int64_t wait_ms = counts.WaitFor(now_ms, window);
    if (wait_ms > longest) *most = window.most;
    longest = std::max(longest, wait_ms);
  }
  return longest;
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
  MutexLock lock(&mutex_);
  PARLEY_TRY(found, Find(counter, subject));
  const int64_t now_ms = counter.now.ms;
  int64_t most = 0;
  if (const int64_t wait_ms = LongestWait(found->all.Of(what), now_ms, windows, &most); wait_ms > 0) {
    Error error = ErrorFor(Reason::kQuotaUsedUp, "the quota of this hour or day is used up");
    error.retry_after_ms = wait_ms;
    error.rate_limit = most;
    return error;
  }
  QuotaRow& own = found->rows[counter.executor];
  const int64_t slot = found->all.Of(what).Add(now_ms);
  own.Of(what).AddTo(slot);
  return std::unique_ptr<Counting>(new Counting(*this, subject, found, what, counter.executor, slot, now_ms));
}

Quotas::Counting::~Counting() {
  MutexLock lock(&quotas_.mutex_);
  if (stands_) return;
  subject_->all.Of(what_).Remove(slot_);
  subject_->rows[executor_].Of(what_).Remove(slot_);
}

std::vector<storage::CommitRequest> Quotas::Counting::Stand() {
  MutexLock lock(&quotas_.mutex_);
  stands_ = true;
  QuotaRow& row = subject_->rows[executor_];
  if (row.first_ms == 0) row.first_ms = now_ms_;
  if (subject_->all.first_ms == 0) subject_->all.first_ms = now_ms_;
  for (QuotaRow* one : {&row, &subject_->all}) {
    one->starts.Drop(now_ms_);
    one->sends.Drop(now_ms_);
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
