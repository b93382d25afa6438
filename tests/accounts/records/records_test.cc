#include "accounts/records/records.h"

#include <gtest/gtest.h>

#include "accounts/records/item_fields.h"
#include "storage/declarations/load.h"
#include "storage/engine/service_rules.h"
#include "tests/storage/engine/item_scene.h"
#include "tests/storage/memory_sealer.h"

namespace parley::accounts {
namespace {

using protocol::ErrorCode;
using protocol::TenantId;

const storage::Sealer kSealing = storage::SealerInMemory("scene");

class RecordsTest : public testing::Test {
 protected:
  // Makes a decision for one tenant and returns its result.
  protocol::Status Decide(const std::string& tenant,
                          const std::function<protocol::Status(RecordTransaction&)>& decide) {
    protocol::Status out = protocol::Ok();
    scene_.Decide([&](storage::ItemTransaction& tx) -> storage::MaybeFault {
      RecordTransaction records(tx, *TenantId::FromText(tenant));
      out = decide(records);
      return {};
    });
    return out;
  }
  protocol::Status PutChannel(const std::string& tenant, const std::string& id) {
    return Decide(tenant, [&](RecordTransaction& records) {
      records.Put("tenants", "channel",
                  {{"tenant_id", tenant}, {"channel_type", "slack"}, {"channel_specific_id", id}});
      return records.Commit();
    });
  }
  RecordReads Reads(const std::string& tenant) {
    return {scene_.table(), *TenantId::FromText(tenant), scene_.clock.Now(), kSealing};
  }

  storage::ItemScene scene_{"memory", storage::SeedTables()};
};

TEST_F(RecordsTest, finds_a_record_under_its_key) {
  ASSERT_TRUE(PutChannel("acme", "C1").ok());
  const auto found = Reads("acme").Find("tenants", "TENANT#acme", "CHANNEL#slack#C1");
  ASSERT_TRUE(found.ok() && *found);
  EXPECT_EQ(TextOf(**found, "gsi1sk"), "TENANT#acme");
  EXPECT_EQ(Reads("other").Find("tenants", "TENANT#acme", "CHANNEL#slack#C1").value(), std::nullopt);
}

TEST_F(RecordsTest, a_globally_unique_value_leads_to_its_tenant) {
  ASSERT_TRUE(PutChannel("acme", "C1").ok());
  const auto refused = PutChannel("umbrella", "C1");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kAlreadyExists);
  const auto find = [&](const char* id) {
    return FindInWorld(scene_.table(), "tenants", {{"gsi1pk", id}}, scene_.clock.Now(), kSealing);
  };
  const auto found = find("CHANNEL#slack#C1");
  ASSERT_TRUE(found.ok() && *found);
  EXPECT_EQ((*found)->tenant.ToText(), "acme");
  EXPECT_FALSE(find("CHANNEL#slack#C2").value().has_value());
}

TEST_F(RecordsTest, a_decision_is_written_as_a_whole_or_not_at_all) {
  ASSERT_TRUE(PutChannel("umbrella", "C2").ok());
  const auto refused = Decide("acme", [&](RecordTransaction& records) {
    for (const char* id : {"C1", "C2"})
      records.Put("tenants", "channel",
                  {{"tenant_id", "acme"}, {"channel_type", "slack"}, {"channel_specific_id", id}});
    return records.Commit();
  });
  EXPECT_FALSE(refused.ok());
  EXPECT_EQ(Reads("acme").Find("tenants", "TENANT#acme", "CHANNEL#slack#C1").value(), std::nullopt);
}

TEST_F(RecordsTest, a_list_continues_after_its_page) {
  for (const char* id : {"C1", "C2", "C3"}) ASSERT_TRUE(PutChannel("acme", id).ok());
  std::vector<std::string> seen;
  const auto all = Reads("acme").ForEach({"tenants", "", BeginningWith("TENANT#acme", "CHANNEL#"), 2},
                                         [&](const Item& item) {
                                           seen.push_back(TextOf(item, "channel_specific_id"));
                                           return true;
                                         });
  EXPECT_TRUE(all.ok());
  EXPECT_EQ(seen, (std::vector<std::string>{"C1", "C2", "C3"}));
}

TEST_F(RecordsTest, a_repeat_gets_the_first_answer_for_a_day) {
  const auto ask = [&](const char* digest) {
    std::string out;
    const auto status = Decide("acme", [&](RecordTransaction& records) -> protocol::Status {
      PARLEY_TRY(repeat, records.FindRepeat(records.tenant(), "k", digest));
      out = repeat.value_or("new");
      if (!repeat) records.Remember(records.tenant(), "k", digest, "first");
      return records.Commit();
    });
    return status.ok() ? out : std::string(Describe(status.error().code).name);
  };
  EXPECT_EQ(ask("d"), "new");
  EXPECT_EQ(ask("d"), "first");
  EXPECT_EQ(ask("e"), "IDEMPOTENCY_CONFLICT");
  EXPECT_EQ(scene_.Check(), std::vector<std::string>{});
  scene_.clock.Advance(int64_t{24} * 3600 * 1000);
  EXPECT_EQ(ask("e"), "new");
}

}  // namespace
}  // namespace parley::accounts
