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

}  // namespace
}  // namespace parley::accounts
