// The declared tables as the program reads them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "storage/declarations/documents.h"
#include "storage/declarations/formats.h"
#include "storage/declarations/load.h"
#include "tests/repository.h"

namespace parley::storage {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const SystemDef& System(std::string_view name) {
  for (const SystemDef& one : SeedSystems()) {
    if (one.name == name) return one;
  }
  ADD_FAILURE() << "no system " << name;
  static const SystemDef kNone;
  return kNone;
}

const TableDef& TableNamed(std::string_view name) {
  for (const TableDefPtr& one : SeedTables()) {
    if (one->name == name) return *one;
  }
  ADD_FAILURE() << "no table " << name;
  static const TableDef kNone;
  return kNone;
}

template <class Predicate>
size_t Count(const SystemDef& system, const Predicate& predicate) {
  return static_cast<size_t>(std::count_if(system.tables.begin(), system.tables.end(),
                                           [&](const TableDefPtr& one) { return predicate(*one); }));
}

size_t CountIndexes(const SystemDef& system, IndexKind kind) {
  size_t count = 0;
  for (const TableDefPtr& table : system.tables) {
    for (const IndexDef& index : table->indexes) count += index.kind == kind;
  }
  return count;
}

// "byExpiresHour(expiresHour N, expires N)"
std::string Text(const KeySchema& keys) {
  std::string text = keys.hash.name + " " + std::string(NameOf(keys.hash.type));
  if (keys.range) text += ", " + keys.range->name + " " + std::string(NameOf(keys.range->type));
  return text;
}
std::vector<std::string> Indexes(const TableDef& table) {
  std::vector<std::string> all;
  for (const IndexDef& index : table.indexes) {
    all.push_back((index.kind == IndexKind::kLocal ? "local " : "") + index.name + "(" + Text(index.keys) +
                  ")");
  }
  return all;
}

std::vector<std::string> NamesOf(const SystemDef& system) {
  std::vector<std::string> names;
  for (const TableDefPtr& table : system.tables) names.push_back(table->name);
  return names;
}

TEST(SeedTables, have_the_names_that_the_seeds_print) {
  EXPECT_THAT(NamesOf(System("channels")), ElementsAre("conversations", "tenants"));
  EXPECT_THAT(NamesOf(System("events")), ElementsAre("TenantApiKeys", "Events"));
  EXPECT_THAT(NamesOf(System("conversations")), ElementsAre("conversations-dev"));
  EXPECT_THAT(NamesOf(System("messaging")), ElementsAre("messaging"));
  EXPECT_THAT(NamesOf(System("moderation")), ElementsAre("moderation-cases"));
  EXPECT_THAT(NamesOf(System("workspaces")),
              ElementsAre("next-auth", "webhook-logs", "workspace", "permission", "agent", "agent-key",
                          "workspace-api-key", "workspace-document", "output_channel", "agent-conversations",
                          "credit-reservations", "token-usage-aggregates", "email-connection", "mcp-server",
                          "trial-credit-requests", "subscription", "llm-request-buckets", "workspace-invite",
                          "agent-stream-servers", "user-api-key", "user-refresh-token"));
}

TEST(SeedTables, include_every_table_of_the_workspaces_seed) {
  const SystemDef& workspaces = System("workspaces");
  EXPECT_EQ(workspaces.tables.size(), 21u);
  // The 20 of the systems' own, and those that the services need: byUser and owners of permission, byResource
  // of workspace-invite, byLiveFamily.
  EXPECT_EQ(CountIndexes(workspaces, IndexKind::kGlobal), 20u + 4u);
  EXPECT_EQ(Count(workspaces, [](const TableDef& one) { return !one.indexes.empty(); }), 18u);
  EXPECT_EQ(Count(workspaces, [](const TableDef& one) { return !one.ttl_attribute.empty(); }),
            6u + 1u);  // and user-refresh-token
  EXPECT_EQ(Count(workspaces, [](const TableDef& one) { return !one.keys.range; }), 3u);
  EXPECT_EQ(Count(workspaces, [](const TableDef& one) { return one.owner == TableDef::Owner::kPeripheral; }),
            17u);
  for (const TableDefPtr& table : workspaces.tables) {
    EXPECT_EQ(table->version_attribute, "version") << table->name;
    EXPECT_EQ(table->created_attribute + table->updated_attribute, "createdAtupdatedAt") << table->name;
  }
  EXPECT_THAT(Indexes(TableNamed("credit-reservations")),
              ElementsAre("byExpiresHour(expiresHour N, expires N)"));
  EXPECT_TRUE(TableNamed("credit-reservations").stream_images);
}

TEST(SeedTables, have_the_indexes_of_their_seeds) {
  EXPECT_THAT(Indexes(TableNamed("tenants")),
              ElementsAre("channel-mapping(gsi1pk S, gsi1sk S)", "cognito-sub-lookup(gsi2pk S)",
                          "tenants-by-creation(gsi3pk S, created_at S)"));
  EXPECT_THAT(Indexes(TableNamed("Events")),
              ElementsAre("status-index(tenant_id S, gsi1sk S)", "event-type-index(tenant_id S, gsi2sk S)",
                          "available-index(tenant_id S, gsi3sk S)"));
  EXPECT_THAT(Indexes(TableNamed("messaging")),
              ElementsAre("GSI1(GSI1PK S, GSI1SK S)", "GSI2(GSI2PK S, GSI2SK S)"));
  EXPECT_THAT(
      Indexes(TableNamed("conversations-dev")),
      ElementsAre(
          "company-id-project-id-index(company_id S, project_id S)",
          "company-whatsapp-number-recipient-tel-index(gsi_company_whatsapp_number S, gsi_recipient_tel S)",
          "company-sms-number-recipient-tel-index(gsi_company_sms_number S, gsi_recipient_tel S)",
          "company-email-recipient-email-index(gsi_company_email S, gsi_recipient_email S)",
          "local created-at-index(primary_channel S, created_at S)",
          "local task-complete-index(primary_channel S, task_complete N)",
          "local conversation-status-index(primary_channel S, conversation_status S)",
          "local channel-method-index(primary_channel S, channel_method S)"));
}

// The numbers are on disk: if one changed, an index would read the entries of another.
TEST(SeedTables, have_indexes_numbered_in_order) {
  for (const TableDefPtr& table : SeedTables()) {
    for (size_t i = 0; i < table->indexes.size(); ++i)
      EXPECT_EQ(table->indexes[i].number, i + 1) << table->name << " " << table->indexes[i].name;
  }
}

TEST(SeedTables, name_their_keys_as_the_seeds_do) {
  for (const TableDefPtr& table : SeedTables()) {
    const std::string keys = Text(table->keys);
    if (table->name == "conversations-dev") {
      EXPECT_EQ(keys, "primary_channel S, conversation_id S");
    } else {
      EXPECT_EQ(keys, table->keys.range ? "pk S, sk S" : "pk S") << table->name;
    }
  }
}

// Programs keep the ids of tables, so each table has its own, the same at each start.
TEST(SeedTables, have_ids_that_stay) {
  std::set<std::string> ids;
  for (const TableDefPtr& table : SeedTables()) {
    EXPECT_TRUE(HasFormat(AttributeRule::Format::kUuid, table->id)) << table->id;
    ids.insert(table->id);
  }
  EXPECT_EQ(ids.size(), SeedTables().size());
  EXPECT_EQ(TableNamed("Events").id, "ed351fa7-970c-88c3-b89a-e3e3e9660573");
}

// 46 attributes; the five that are copies for indexes are derived.
TEST(SeedTables, conversations_dev_has_every_attribute_of_its_seed) {
  const ItemKind& kind = TableNamed("conversations-dev").kinds.front();
  std::set<std::string> names;
  for (const AttributeRule& rule : kind.attributes) names.insert(rule.name);
  for (const DerivedAttribute& derived : kind.derived) names.insert(derived.name);
  EXPECT_EQ(names.size(), 46u);
  EXPECT_EQ(kind.attributes.size(), 41u);
}

// Tables that one of our services writes. A back end owns all others.
TEST(SeedTables, belong_to_a_service_if_it_writes_them) {
  std::set<std::string> services;
  for (const TableDefPtr& table : SeedTables()) {
    if (table->owner == TableDef::Owner::kServices) services.insert(table->name);
    EXPECT_TRUE(table->unique.empty() || table->owner == TableDef::Owner::kServices) << table->name;
  }
  EXPECT_THAT(services, ElementsAre("Events", "TenantApiKeys", "moderation-cases", "permission", "tenants",
                                    "user-api-key", "user-refresh-token", "workspace-invite"));
}

// Secrets of a back end's table are sealed only once a service owns the table.
TEST(SeedTables, mark_secret_attributes) {
  std::set<std::string> secrets;
  for (const TableDefPtr& table : SeedTables()) {
    for (const ItemKind& kind : table->kinds) {
      for (const AttributeRule& rule : kind.attributes) {
        if (!rule.secret) continue;
        secrets.insert(table->name + "." + rule.name);
      }
    }
  }
  EXPECT_THAT(secrets,
              ElementsAre("agent-key.key", "agent-stream-servers.secret", "email-connection.config",
                          "output_channel.config", "tenants.minting_secret", "tenants.secret",
                          "user-api-key.keyHash", "user-api-key.keySalt", "user-refresh-token.answer",
                          "user-refresh-token.tokenHash", "user-refresh-token.tokenSalt"));
}

std::set<std::string> PatternIds() {
  std::set<std::string> ids;
  for (const SystemDef& system : SeedSystems()) {
    for (const AccessPattern& one : system.patterns) ids.insert(one.id);
    for (const TableDefPtr& table : system.tables) {
      for (const AccessPattern& one : table->patterns) ids.insert(one.id);
    }
  }
  return ids;
}

TEST(SeedTables, say_how_each_access_pattern_is_served) {
  std::set<std::string> ids;
  const auto add = [&](const std::string& prefix, int first, int last) {
    for (int i = first; i <= last; ++i) ids.insert(prefix + std::to_string(i));
  };
  add("T3-C", 1, 3);
  add("T3-T", 1, 4);
  add("T3-CH", 1, 3);
  add("T3-U", 1, 6);
  add("T3-M", 1, 1);
  add("T3-B", 1, 2);
  add("T3-F", 1, 1);
  add("HM-B", 1, 7);
  add("HM-", 1, 2);
  add("HM-", 4, 16);
  add("HM-", 18, 21);
  ids.insert({"HM-3a", "HM-3b", "HM-3c", "HM-3d", "HM-17a", "HM-17b"});
  add("EV-A", 1, 2);
  add("EV-", 1, 10);
  add("CV-", 1, 15);
  add("MSG-", 1, 5);
  add("MC-", 1, 4);
  EXPECT_EQ(PatternIds(), ids);
}

TEST(SeedTables, equal_the_documents_of_the_repository) {
  ASSERT_EQ(TableDocuments().size(), SeedSystems().size());
  for (const TableDocument& document : TableDocuments()) {
    EXPECT_EQ(document.text, tests::RepositoryText("storage/declarations/" + std::string(document.file)));
  }
}

}  // namespace
}  // namespace parley::storage
