// Tests that verify finds faults in quotas, and none in a sound store.
#include <gmock/gmock.h>

#include "accounts/limits/quota_sweep.h"
#include "accounts/limits/quotas.h"
#include "accounts/records/records.h"
#include "fanout/verify/quota_facts.h"
#include "storage/engine/item_keys.h"
#include "storage/items/item_codec.h"
#include "storage/memory_table.h"

namespace parley::fanout {
namespace {

using namespace accounts;
using protocol::KeyText;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr int64_t kStart = 20'000 * kDayMs;

class VerifyQuotas : public testing::Test {
 protected:
  VerifyQuotas() { PlantTenant("{}"); }

  void Plant(const storage::PartitionKey& partition, const storage::SortKey& sort,
             std::optional<std::string> payload) {
    storage::CommitRequest request;
    request.partition = partition;
    request.writes.push_back({sort, payload ? std::optional(storage::Row{1, *payload}) : std::nullopt});
    Commit({request});
  }
  void Commit(const std::vector<storage::CommitRequest>& requests) {
    std::vector<storage::CommitResult> results;
    ASSERT_TRUE(table_->Commit(requests, &results).ok());
  }
  void PlantTenant(const std::string& settings) {
    const auto& def = *SeedTable("tenants");
    const storage::KeyValues key{"TENANT#acme", storage::AttributeValue("META")};
    const storage::Item item{{"pk", "TENANT#acme"},
                             {"sk", "META"},
                             {"settings", settings},
                             {"created_at", protocol::FormatTime({kStart - 100 * kDayMs})}};
    Plant(storage::TablePartition(tenant_, def), storage::ItemKey(def, key), storage::EncodeItem(item));
  }
  void Count(const std::string& who, int times = 1) {
    const Window none{kDayMs, 0};
    for (int i = 0; i < times; ++i) {
      auto counted =
          quotas_.Count({*table_, 0, now_}, {tenant_, KeyText::UpToNul(who)}, Counted::kStarts, {&none, 1});
      Commit((*counted)->Stand());
    }
  }
  std::vector<std::string> Verify() {
    std::vector<std::string> out;
    EXPECT_TRUE(CheckQuotas(*table_, now_, [&](const std::string& what) { out.push_back(what); }).ok());
    return out;
  }
  storage::PartitionKey Of(const std::string& who) const {
    return QuotaPartition({tenant_, KeyText::UpToNul(who)});
  }

  const protocol::TenantId tenant_{KeyText::UpToNul("acme")};
  std::unique_ptr<storage::MemoryTable> table_ =
      storage::OpenMemoryTable(storage::NewMemoryDisk({"ep_test", std::string(32, 's')}));
  Quotas quotas_;
  protocol::Time now_{kStart};
};

TEST_F(VerifyQuotas, accepts_valid_counts) {
  Count("ann", 9);
  now_.ms += 3 * kDayMs;
  Count("bob", 10);
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(VerifyQuotas, finds_an_unreadable_row) {
  Plant(Of("ann"), QuotaKey(0), "\x05\x01\xff");
  EXPECT_THAT(Verify(), ElementsAre("acme ann: a quota cannot be read"));
}

TEST_F(VerifyQuotas, finds_a_count_in_the_future) {
  Count("ann");
  now_.ms -= 2 * kDayMs;
  EXPECT_THAT(Verify(), ElementsAre("acme ann: the quota counts something in the future"));
}

TEST_F(VerifyQuotas, finds_a_count_above_the_limit_unless_the_tenant_changed_since) {
  Count("ann", 11);
  EXPECT_THAT(Verify(), ElementsAre("acme ann: more starts in an hour were counted than the tenant allows"));
  PlantTenant(R"({"limits":{"startsPerHour":11}})");
  EXPECT_THAT(Verify(), IsEmpty());
  PlantTenant(R"({"limits":{"startsPerHour":4,"enabled":false}})");
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(VerifyQuotas, finds_a_row_of_an_unknown_tenant) {
  QuotaRow row;
  row.first_ms = kStart;
  Plant(QuotaPartition({{KeyText::UpToNul("gone")}, KeyText::UpToNul("eve")}), QuotaKey(0), EncodeQuota(row));
  EXPECT_THAT(Verify(), ElementsAre("gone eve: the quota belongs to an unknown tenant"));
}

TEST_F(VerifyQuotas, finds_a_quota_without_its_due_row) {
  Count("ann");
  const QuotaPlace place{0, {kStart + kQuotaKeptMs}, KeyText::UpToNul("ann")};
  Plant(QuotaDuePartition(tenant_), QuotaPlaceKey(place), std::nullopt);
  EXPECT_THAT(Verify(), ElementsAre("acme ann: the quota has no due row"));
}

TEST_F(VerifyQuotas, finds_a_due_time_far_too_late) {
  Count("ann");
  QuotaRow row;
  row.first_ms = kStart;
  row.starts.Add(kStart);
  row.due_ms = kStart + 1000 * kDayMs;
  Plant(Of("ann"), QuotaKey(0), EncodeQuota(row));
  Plant(QuotaDuePartition(tenant_), QuotaPlaceKey({0, {row.due_ms}, KeyText::UpToNul("ann")}), "");
  EXPECT_THAT(Verify(), ElementsAre("acme ann: the quota's due time is too late"));
}

TEST_F(VerifyQuotas, accepts_a_level_whose_row_has_moved_on) {
  const auto change = [&](int64_t amount) {
    const QuotaUse use{Counted::kStoredBytes, {}, amount};
    auto taken = quotas_.Take({*table_, 0, now_}, QuotaSubject::OfFiles(tenant_), {&use, 1}, nullptr);
    Commit((*taken)->Stand());
  };
  change(7);
  now_.ms += 100 * kDayMs;
  const QuotaPlace first{0, {kStart + kQuotaKeptMs}, KeyText::UpToNul(" files")};
  Plant(QuotaDuePartition(tenant_), QuotaPlaceKey(first), std::nullopt);
  change(-3);
  EXPECT_THAT(Verify(), IsEmpty());
  Plant(Of(" files"), QuotaKey(1), "\x05\x01\xff");
  EXPECT_THAT(Verify(), ElementsAre("acme files: a quota cannot be read"));
}

TEST_F(VerifyQuotas, finds_a_due_row_that_was_not_swept) {
  Count("ann");
  now_.ms += 100 * kDayMs;
  EXPECT_THAT(Verify(), IsEmpty()) << "the server was stopped";
  Count("bob");
  EXPECT_THAT(Verify(), ElementsAre("acme ann: the quota has been due for too long"));
}

TEST_F(VerifyQuotas, finds_an_unreadable_due_row) {
  Plant(QuotaDuePartition(tenant_), storage::SortKey("?"), "");
  EXPECT_THAT(Verify(), ElementsAre("acme: a quota's due row cannot be read"));
}

}  // namespace
}  // namespace parley::fanout
