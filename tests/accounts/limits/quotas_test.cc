#include "accounts/limits/quotas.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "storage/memory_table.h"
#include "storage/overlay.h"

namespace parley::accounts {
namespace {

using protocol::ErrorCode;
using protocol::KeyText;

constexpr int64_t kMondayMs = 20'000 * kDayMs;

class QuotasTest : public testing::Test {
 protected:
  // Returns "ok", or the time to wait.
  std::string Count(size_t executor = 0, bool stands = true) {
    auto counted = quotas_->Count({*table_, executor, now_}, anna_, Counted::kStarts, windows_);
    if (!counted.ok()) {
      EXPECT_EQ(counted.error().code, ErrorCode::kRateLimited);
      return std::to_string(*counted.error().retry_after_ms);
    }
    if (stands) Commit((*counted)->Stand());
    return "ok";
  }
  void Commit(const std::vector<storage::CommitRequest>& requests) {
    std::vector<storage::CommitResult> results;
    ASSERT_TRUE(table_->Commit(requests, &results).ok());
  }
  int64_t Used() { return quotas_->Used({*table_, 0, now_}, anna_, Counted::kStarts, kDayMs).value(); }
  void Restart() {
    quotas_ = std::make_unique<Quotas>(2);
    table_ = storage::OpenMemoryTable(disk_);
  }

  std::shared_ptr<storage::MemoryDisk> disk_ = storage::NewMemoryDisk({"ep_test", std::string(32, 's')});
  std::unique_ptr<storage::MemoryTable> table_ = storage::OpenMemoryTable(disk_);
  std::unique_ptr<Quotas> quotas_ = std::make_unique<Quotas>(2);
  protocol::Time now_{kMondayMs};
  std::vector<Window> windows_ = {{kHourMs, 3}, {kDayMs, 5}};
  const QuotaSubject anna_{{KeyText::UpToNul("acme")}, KeyText::UpToNul("usr_anna")};
};

TEST_F(QuotasTest, the_last_is_allowed_and_the_next_waits) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Count(), "ok");
  EXPECT_EQ(Count(), std::to_string(kHourMs));
  now_.ms += kHourMs - 1;
  EXPECT_EQ(Count(), "1");
  now_.ms += 1;
  EXPECT_EQ(Count(), "ok");
  EXPECT_EQ(Count(), "ok");
  EXPECT_EQ(Count(), std::to_string(kDayMs - kHourMs));  // the five of the day
  now_.ms = kMondayMs + kDayMs;
  EXPECT_EQ(Count(), "ok");
}

TEST_F(QuotasTest, counts_survive_a_restart) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Count(), "ok");
  Restart();
  EXPECT_EQ(Used(), 3);
  EXPECT_EQ(Count(), std::to_string(kHourMs));
}

TEST_F(QuotasTest, a_count_that_is_not_committed_is_returned) {
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Count(0, false), "ok");
  EXPECT_EQ(Used(), 0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Count(), "ok");
}

TEST_F(QuotasTest, executors_share_a_limit_and_each_writes_its_own_row) {
  EXPECT_EQ(Count(0), "ok");
  EXPECT_EQ(Count(1), "ok");
  EXPECT_EQ(Count(7), "ok");
  EXPECT_NE(Count(1), "ok");
  Restart();  // with another number of executors
  EXPECT_EQ(Used(), 3);
  EXPECT_NE(Count(0), "ok");
  size_t rows = 0;
  ASSERT_TRUE(table_
                  ->Scan(QuotaPartition(anna_), storage::SortRange::All(), storage::Direction::kForward, 10,
                         [&](std::string_view, storage::RowView) { return ++rows > 0; })
                  .ok());
  EXPECT_EQ(rows, 3u);
}

// Two executors that count concurrently may commit in either order.
TEST_F(QuotasTest, commits_in_another_order_than_the_counts_lose_nothing) {
  auto first = quotas_->Count({*table_, 0, now_}, anna_, Counted::kStarts, windows_);
  auto second = quotas_->Count({*table_, 1, now_}, anna_, Counted::kStarts, windows_);
  const auto one = (*first)->Stand(), other = (*second)->Stand();
  Commit(other);
  Commit(one);
  first->reset();
  second->reset();
  Restart();
  EXPECT_EQ(Used(), 2);
}

TEST_F(QuotasTest, counts_that_are_not_on_disk_yet_are_never_evicted) {
  auto counting = quotas_->Count({*table_, 0, now_}, anna_, Counted::kStarts, windows_);
  const auto row = (*counting)->Stand();
  for (int i = 0; i < 100; ++i) {
    const QuotaSubject other{anna_.tenant, KeyText::UpToNul("u" + std::to_string(i))};
    ASSERT_TRUE(quotas_->Count({*table_, 0, now_}, other, Counted::kStarts, windows_).ok());
    ASSERT_LE(quotas_->size(), 3u);
  }
  EXPECT_EQ(Used(), 1);
  Commit(row);
  counting->reset();
  EXPECT_EQ(Used(), 1);
}

TEST_F(QuotasTest, users_with_the_same_id_in_two_tenants_are_independent) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Count(), "ok");
  const QuotaSubject other{{KeyText::UpToNul("umbrella")}, anna_.who};
  EXPECT_TRUE(quotas_->Count({*table_, 0, now_}, other, Counted::kStarts, windows_).ok());
}

TEST_F(QuotasTest, remembers_the_first_count_of_a_user) {
  const auto first = [&] { return quotas_->FirstCounted({*table_, 0, now_}, anna_).value(); };
  EXPECT_FALSE(first());
  EXPECT_EQ(Count(), "ok");
  now_.ms += 30 * kDayMs;
  EXPECT_EQ(Count(1), "ok");
  Restart();
  EXPECT_EQ(first(), protocol::Time{kMondayMs});
}

TEST_F(QuotasTest, an_unreadable_row_refuses_instead_of_allowing_everything) {
  storage::CommitRequest request;
  request.partition = QuotaPartition(anna_);
  request.writes.push_back({QuotaKey(0), storage::Row{1, "\x05\x01\xff"}});
  Commit({request});
  const auto counted = quotas_->Count({*table_, 0, now_}, anna_, Counted::kStarts, windows_);
  ASSERT_FALSE(counted.ok());
  EXPECT_EQ(counted.error().code, ErrorCode::kInternal);
}

TEST_F(QuotasTest, ten_thousand_concurrent_counts_on_four_executors_are_exact) {
  windows_ = {{kDayMs, 5000}};
  std::atomic<int> allowed = 0;
  std::vector<std::thread> threads;
  for (size_t executor = 0; executor < 4; ++executor) {
    threads.emplace_back([&, executor] {
      for (int i = 0; i < 2500; ++i) allowed += Count(executor) == "ok";
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(allowed, 5000);
  Restart();
  EXPECT_EQ(Used(), 5000);
}

class QuotasThatAreGivenBack : public QuotasTest {
 protected:
  using Counting = std::unique_ptr<Quotas::Counting>;
  // Takes from a day of 1000 bytes and a level of two, or gives back; nullptr if there is no room.
  Counting Change(int64_t bytes, int64_t uploads, size_t executor = 0, int64_t counted_ms = kMondayMs) {
    const Window day{kDayMs, 1000}, level{kForeverMs, 2};
    std::vector<QuotaUse> uses;
    if (bytes != 0) uses.push_back({Counted::kUploadBytes, {&day, bytes > 0 ? 1u : 0u}, bytes, counted_ms});
    if (uploads != 0) uses.push_back({Counted::kOpenUploads, {&level, uploads > 0 ? 1u : 0u}, uploads});
    auto taken = quotas_->Take({*table_, executor, now_}, anna_, uses, &lack_);
    return taken.ok() ? std::move(*taken) : nullptr;
  }
  bool Done(Counting counting) {
    if (counting) Commit(counting->Stand());
    return counting != nullptr;
  }
  std::string Counts() {
    const auto used = [&](Counted what, int64_t window_ms) {
      return std::to_string(quotas_->Used({*table_, 0, now_}, anna_, what, window_ms).value());
    };
    return used(Counted::kUploadBytes, kDayMs) + " bytes, " + used(Counted::kOpenUploads, kForeverMs) +
           " open";
  }
  // Checks them in memory and on disk.
  void ExpectCounts(const std::string& expected) {
    EXPECT_EQ(Counts(), expected);
    Restart();
    EXPECT_EQ(Counts(), expected) << "after a restart";
  }
  QuotaLack lack_;
};

TEST_F(QuotasThatAreGivenBack, all_changes_are_made_or_none) {
  EXPECT_TRUE(Done(Change(600, 1)));
  EXPECT_FALSE(Change(401, 1));
  EXPECT_EQ(lack_.what, Counted::kUploadBytes);
  EXPECT_EQ(lack_.left, 400);
  EXPECT_TRUE(Done(Change(300, 1)));
  EXPECT_FALSE(Change(100, 1));
  EXPECT_EQ(lack_.what, Counted::kOpenUploads);
  EXPECT_EQ(lack_.left, 0);
  EXPECT_TRUE(Done(Change(100, 0)));
  ExpectCounts("1000 bytes, 2 open");
}

TEST_F(QuotasThatAreGivenBack, changes_that_do_not_stand_leave_nothing) {
  EXPECT_TRUE(Done(Change(600, 1)));
  Change(300, 1).reset();
  Change(-600, -1).reset();
  ExpectCounts("600 bytes, 1 open");
}

TEST_F(QuotasThatAreGivenBack, room_is_made_once_the_change_is_on_disk) {
  EXPECT_TRUE(Done(Change(1000, 2)));
  Counting ended = Change(-1000, -1);
  const auto rows = ended->Stand();
  EXPECT_FALSE(Change(1, 0)) << "decided only";
  EXPECT_FALSE(Change(0, 1));
  Commit(rows);
  ended.reset();
  EXPECT_TRUE(Done(Change(1, 1)));
  ExpectCounts("1 bytes, 2 open");
}

TEST_F(QuotasThatAreGivenBack, another_executor_gives_back_after_a_restart_with_another_number_of_them) {
  EXPECT_TRUE(Done(Change(600, 2, 3)));
  Restart();
  EXPECT_TRUE(Done(Change(-600, -2, 0)));
  ExpectCounts("0 bytes, 0 open");
}

TEST_F(QuotasThatAreGivenBack, bytes_of_yesterday_are_not_given_back_today) {
  EXPECT_TRUE(Done(Change(600, 1)));
  now_.ms += kDayMs;
  EXPECT_TRUE(Done(Change(700, 1)));
  EXPECT_TRUE(Done(Change(-600, -1)));
  ExpectCounts("700 bytes, 1 open");
}

TEST_F(QuotasThatAreGivenBack, levels_are_exact_while_four_executors_take_and_give_back) {
  std::atomic<int> open = 0, most = 0, taken = 0;
  std::vector<std::thread> threads;
  for (size_t executor = 0; executor < 4; ++executor) {
    threads.emplace_back([&, executor] {
      const Window level{kForeverMs, 2};
      for (int i = 0; i < 2500; ++i) {
        const QuotaUse begin{Counted::kOpenUploads, {&level, 1}}, end{Counted::kOpenUploads, {}, -1};
        auto begun = quotas_->Take({*table_, executor, now_}, anna_, {&begin, 1}, nullptr);
        if (!begun.ok()) continue;
        Commit((*begun)->Stand());
        begun->reset();
        const int now_open = ++open;
        for (int seen = most; now_open > seen && !most.compare_exchange_weak(seen, now_open);) continue;
        ++taken;
        --open;
        auto ended = quotas_->Take({*table_, executor, now_}, anna_, {&end, 1}, nullptr);
        Commit((*ended)->Stand());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(most, 2);
  EXPECT_GT(taken, 0);
  ExpectCounts("0 bytes, 0 open");
}

TEST(QuotaRow, has_the_specified_bytes) {
  QuotaRow row;
  row.first_ms = 300;
  row.starts.Add(5 * kMinuteMs * 128);
  row.starts.Add(5 * kMinuteMs * 128);
  row.starts.Add(5 * kMinuteMs * 131);
  const std::string bytes = EncodeQuota(row);
  EXPECT_EQ(bytes, std::string("\xac\x02\x01\x02\x80\x01\x02\x03\x01\x02\x00", 11));
  QuotaRow again;
  ASSERT_TRUE(DecodeQuota(bytes, &again));
  EXPECT_EQ(EncodeQuota(again), bytes);
  for (size_t size = 3; size + 2 < bytes.size(); ++size) {
    QuotaRow cut;
    EXPECT_FALSE(DecodeQuota(bytes.substr(0, size), &cut)) << size;
  }
}

TEST(QuotaRow, counts_of_uploads_are_read_as_they_were_written) {
  QuotaRow row;
  row.first_ms = 300;
  row.uploads.Add(kHourMs * 2);
  row.upload_bytes.AddTo(2, -5);
  row.open_uploads.Add(0);
  row.stored_bytes.AddTo(0, -(int64_t{1} << 50));
  const std::string bytes = EncodeQuota(row);
  QuotaRow again;
  ASSERT_TRUE(DecodeQuota(bytes, &again));
  EXPECT_EQ(EncodeQuota(again), bytes);
  EXPECT_EQ(again.LastMs(), kHourMs * 2);
  EXPECT_TRUE(again.HasLevel());
}

}  // namespace
}  // namespace parley::accounts
