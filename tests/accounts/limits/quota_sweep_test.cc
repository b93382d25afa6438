// Rows of quotas are removed once they no longer count, and not before.
#include "accounts/limits/quota_sweep.h"

#include <gtest/gtest.h>

#include "accounts/limits/quotas.h"
#include "storage/memory_table.h"

namespace parley::accounts {
namespace {

using protocol::KeyText;

class QuotaSweepTest : public testing::Test {
 protected:
  QuotaSubject User(const std::string& name) const { return {tenant_, KeyText::UpToNul(name)}; }
  void Count(const std::string& who, size_t executor = 0) {
    auto counted = quotas_->Count({*table_, executor, now_}, User(who), Counted::kStarts, {&window_, 1});
    ASSERT_TRUE(counted.ok());
    Commit((*counted)->Stand());
  }
  void Commit(const std::vector<storage::CommitRequest>& requests) {
    std::vector<storage::CommitResult> results;
    ASSERT_TRUE(table_->Commit(requests, &results).ok());
  }
  // Runs one slice like the executor; returns whether more is due.
  bool SweepOnce(size_t executor) {
    const auto slice = ForgetQuotas(*table_, tenant_, executor, now_).value();
    for (const auto& [partition, sort, payload] : slice.writes) {
      storage::CommitRequest request;
      request.partition = partition;
      request.writes.push_back({sort, payload ? std::optional(storage::Row{1, *payload}) : std::nullopt});
      Commit({request});
    }
    return slice.more;
  }
  // Sweeps whenever something is due, up to day `day`.
  void SweepUntil(int64_t day) {
    const protocol::Time end{kStart + day * kDayMs};
    for (;;) {
      std::vector<QuotaDue> first;
      ASSERT_TRUE(FirstQuotasDue(*table_, tenant_, &first).ok());
      bool worked = false;
      for (const QuotaDue& due : first) {
        if (due.at > end) continue;
        now_ = std::max(now_, due.at);
        SweepOnce(due.executor);
        worked = true;
      }
      if (!worked) break;
    }
    now_ = end;
  }
  std::pair<size_t, size_t> Rows() {
    std::pair<size_t, size_t> out;
    const auto count = [&](const storage::PartitionKey& partition, const auto&, auto) {
      return ++(partition == QuotaDuePartition(tenant_) ? out.second : out.first) > 0;
    };
    EXPECT_TRUE(table_->ScanAll(storage::TableTag::kQuotas, count).ok());
    return out;
  }
  size_t Counts() { return Rows().first; }
  size_t Places() { return Rows().second; }

  static constexpr int64_t kStart = 20'000 * kDayMs;
  const protocol::TenantId tenant_{KeyText::UpToNul("acme")};
  std::unique_ptr<storage::MemoryTable> table_ =
      storage::OpenMemoryTable(storage::NewMemoryDisk({"ep_test", std::string(32, 's')}));
  std::unique_ptr<Quotas> quotas_ = std::make_unique<Quotas>();
  protocol::Time now_{kStart};
  Window window_{kDayMs, 5};
};

TEST_F(QuotaSweepTest, a_row_is_removed_a_month_after_its_last_count) {
  Count("ann");
  SweepUntil(20);
  Count("ann");
  EXPECT_EQ(Places(), 1u) << "one for the row, however often it counts";
  SweepUntil(49);
  EXPECT_EQ(Counts(), 1u);
  SweepUntil(51);
  EXPECT_EQ(Counts(), 0u);
  EXPECT_EQ(Places(), 0u);
}

TEST_F(QuotaSweepTest, after_a_decade_only_the_rows_of_the_last_month_remain) {
  for (int64_t day = 0; day < 3650; day += 10) {
    SweepUntil(day);
    Count("user" + std::to_string(day), static_cast<size_t>(day / 10 % 3));
    ASSERT_LE(Counts(), 5u) << day;
    ASSERT_EQ(Places(), Counts()) << day;
  }
}

TEST_F(QuotaSweepTest, a_returning_user_starts_at_zero_and_is_due_again_with_or_without_a_restart) {
  for (const bool restarts : {false, true}) {
    Count("ann");
    now_.ms += 40 * kDayMs;
    EXPECT_FALSE(SweepOnce(0));
    EXPECT_EQ(Counts(), 0u);
    if (restarts) quotas_ = std::make_unique<Quotas>();
    Count("ann");
    EXPECT_EQ(Counts(), 1u);
    EXPECT_EQ(Places(), 1u);
    now_.ms += 40 * kDayMs;
    SweepOnce(0);
    EXPECT_EQ(Counts() + Places(), 0u);
  }
}

// The row counts after it became due and before it is swept: the old due time does not remove it.
TEST_F(QuotaSweepTest, a_row_that_counts_just_before_the_sweep_stays) {
  Count("ann");
  now_.ms += 31 * kDayMs;
  Count("ann");
  EXPECT_EQ(Places(), 2u);
  SweepOnce(0);
  EXPECT_EQ(Counts(), 1u);
  EXPECT_EQ(Places(), 1u);
  quotas_ = std::make_unique<Quotas>();
  EXPECT_EQ(quotas_->Used({*table_, 0, now_}, User("ann"), Counted::kStarts, kDayMs).value(), 1);
}

TEST_F(QuotaSweepTest, a_slice_is_bounded_and_reports_that_more_is_due) {
  for (size_t i = 0; i < kQuotaSlice + 5; ++i) Count("user" + std::to_string(i));
  now_.ms += 31 * kDayMs;
  EXPECT_TRUE(SweepOnce(0));
  EXPECT_EQ(Counts(), 5u);
  EXPECT_FALSE(SweepOnce(0));
  EXPECT_EQ(Counts(), 0u);
}

TEST_F(QuotaSweepTest, a_row_with_a_level_stays_until_the_level_is_zero) {
  const auto change = [&](int64_t amount) {
    const QuotaUse use{Counted::kStoredBytes, {}, amount};
    auto taken = quotas_->Take({*table_, 0, now_}, User("ann"), {&use, 1}, nullptr);
    ASSERT_TRUE(taken.ok());
    Commit((*taken)->Stand());
  };
  change(500);
  SweepUntil(100);
  EXPECT_EQ(Counts(), 1u);
  change(-500);
  EXPECT_EQ(Counts(), 1u);
  SweepUntil(200);
  EXPECT_EQ(Counts() + Places(), 0u);
  change(500);
  EXPECT_EQ(Counts(), 1u);
  EXPECT_EQ(Places(), 1u);
}

TEST_F(QuotaSweepTest, an_executor_removes_only_its_own_rows) {
  Count("ann", 0);
  Count("ann", 6);
  now_.ms += 31 * kDayMs;
  SweepOnce(6);
  EXPECT_EQ(Counts(), 1u);
  std::vector<QuotaDue> first;
  ASSERT_TRUE(FirstQuotasDue(*table_, tenant_, &first).ok());
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].executor, 0u);
}

}  // namespace
}  // namespace parley::accounts
