// Declarations prepare items before services write them: derived attributes, versions, times, checks.
#include "storage/declarations/rules.h"

#include <gtest/gtest.h>

#include "tests/storage/declarations/shown.h"

namespace parley::storage {
namespace {

constexpr protocol::Time kNoon{1'785'585'600'000};  // 2026-08-01T12:00:00.000Z
constexpr protocol::Time kLater{kNoon.ms + 1500};

// The item as text, or its faults.
std::string Outcome(const Prepared& prepared) {
  return prepared.ok() ? Shown(prepared.item) : Shown(prepared.faults);
}
std::string Outcome(std::string_view table, std::string_view kind, const Item& in,
                    const Item* before = nullptr, protocol::Time now = kNoon) {
  const TableDef& def = SeedTable(table);
  return Outcome(PrepareForWrite(def, KindOf(def, kind), in, before, now));
}

Item Written(std::string_view table, std::string_view kind, const Item& in, const Item* before = nullptr,
             protocol::Time now = kNoon) {
  const TableDef& def = SeedTable(table);
  Prepared prepared = PrepareForWrite(def, KindOf(def, kind), in, before, now);
  EXPECT_TRUE(prepared.ok()) << Shown(prepared.faults);
  return prepared.item;
}
std::string At(const Item& item, std::string_view name) {
  const AttributeValue* value = item.Find(name);
  return value ? Shown(*value) : "not there";
}

Item With(Item item, std::string_view name, AttributeValue value) {
  item.Set(name, std::move(value));
  return item;
}
Item Without(Item item, std::string_view name) {
  item.Erase(name);
  return item;
}

const Item kUser = {{"tenant_id", "acme"}, {"user_id", "ann"}, {"email", "Ann@Example.COM"}};
const Item kAgent = {{"workspaceId", "w1"}, {"agentId", "a1"}, {"name", "Ada"}, {"systemPrompt", "Help."}};
const Item kEvent = {{"tenant_id", "acme"},
                     {"event_id", "0190a1b2-c3d4-4011-9213-141516171819"},
                     {"timestamp", Number::Must("1732140249123")},
                     {"event_type", "message.created"}};
const Item kConversation = {{"conversation_id", "ci#pi#req#44711"},
                            {"channel_method", "sms"},
                            {"recipient_tel", "+44711"},
                            {"company_id", "ci"},
                            {"project_id", "pi"},
                            {"conversation_status", "processing"},
                            {"request_id", "req"}};

TEST(PrepareForWrite, makes_a_new_item_from_its_attributes) {
  EXPECT_EQ(Outcome("agent", "agent", kAgent),
            "createdAt=\"2026-08-01T12:00:00.000Z\" maxToolRoundtrips=5 name=\"Ada\" pk=\"agents/w1/a1\" "
            "provider=\"google\" sk=\"agent\" systemPrompt=\"Help.\" version=1 workspaceId=\"w1\"");
}

TEST(PrepareForWrite, keeps_parts_of_keys_out_of_the_attributes) {
  const Item written = Written("tenants", "user", kUser);
  EXPECT_EQ(At(written, "pk"), "\"TENANT#acme\"");
  EXPECT_EQ(At(written, "sk"), "\"USER#ann\"");
  EXPECT_EQ(At(written, "tenant_id"), "not there");
}

TEST(PrepareForWrite, takes_the_keys_from_the_item_before) {
  const Item before = Written("agent", "agent", kAgent);
  const Item after =
      Written("agent", "agent", Without(With(kAgent, "name", "Eve"), "agentId"), &before, kLater);
  EXPECT_EQ(At(after, "pk"), "\"agents/w1/a1\"");
  EXPECT_EQ(At(after, "name"), "\"Eve\"");
}

TEST(PrepareForWrite, accepts_whole_keys_instead_of_their_parts) {
  const Item keyed = With(With(Without(kAgent, "agentId"), "pk", "agents/w1/a1"), "sk", "agent");
  EXPECT_EQ(At(Written("agent", "agent", keyed), "pk"), "\"agents/w1/a1\"");
  EXPECT_EQ(Outcome("agent", "agent", With(keyed, "pk", "agents/w2/a1")),
            "pk: differs from the value that its template gives");
  EXPECT_EQ(Outcome("agent", "agent", With(keyed, "sk", "other")),
            "sk: differs from the value that its template gives");
  EXPECT_EQ(Outcome("agent", "agent", Without(kAgent, "agentId")), "agentId: is needed for the key pk");
}

TEST(PrepareForWrite, lets_no_write_change_a_key) {
  const Item before = Written("agent", "agent", kAgent);
  EXPECT_EQ(Outcome("agent", "agent", With(kAgent, "agentId", "a2"), &before),
            "pk: is a key and cannot change");
  EXPECT_EQ(Outcome("agent", "agent", With(kAgent, "workspaceId", "w2"), &before),
            "pk: is a key and cannot change; workspaceId: cannot change");
}

// With a separator in an id, begins_with("USER#a") would find items of other users.
TEST(PrepareForWrite, refuses_separators_in_ids) {
  EXPECT_EQ(Outcome("tenants", "user", With(kUser, "user_id", "a#b")), "user_id: must not contain #");
  EXPECT_EQ(Outcome("tenants", "user", With(kUser, "tenant_id", "a#b")), "tenant_id: must not contain #");
  EXPECT_EQ(Outcome("agent", "agent", With(kAgent, "agentId", "a/b")), "agentId: must not contain /");
  EXPECT_EQ(Outcome("Events", "event", With(kEvent, "event_type", "a#b")), "event_type: must not contain #");
}

TEST(PrepareForWrite, recomputes_derived_attributes) {
  const Item before = Written("Events", "event", kEvent);
  EXPECT_EQ(At(before, "gsi1sk"), "\"undelivered#1732140249123\"");
  EXPECT_EQ(At(before, "gsi2sk"), "\"message.created#1732140249123\"");
  const Item after = Written("Events", "event", With(before, "status", "delivered"), &before, kLater);
  EXPECT_EQ(At(after, "gsi1sk"), "\"delivered#1732140249123\"");
  EXPECT_EQ(At(Written("Events", "event", With(kEvent, "gsi1sk", "whatever")), "gsi1sk"),
            "\"undelivered#1732140249123\"");
}

TEST(PrepareForWrite, orders_derived_numbers_as_numbers) {
  EXPECT_EQ(At(Written("Events", "event", With(kEvent, "timestamp", Number::Of(999))), "gsi1sk"),
            "\"undelivered#0000000000999\"");
  EXPECT_EQ(Outcome("Events", "event", With(kEvent, "timestamp", Number::Must("10000000000000"))),
            "timestamp: must be a whole number of at most 13 digits");
}

// A channel's item is in the index of channels although services give it no range key.
TEST(PrepareForWrite, T3_CH1_derives_both_keys_of_the_channel_mapping) {
  const Item written =
      Written("tenants", "channel",
              {{"tenant_id", "acme"}, {"channel_type", "teams"}, {"channel_specific_id", "bot-1"}});
  EXPECT_EQ(Shown(written),
            "channel_specific_id=\"bot-1\" channel_type=\"teams\" gsi1pk=\"CHANNEL#teams#bot-1\" "
            "gsi1sk=\"TENANT#acme\" pk=\"TENANT#acme\" sk=\"CHANNEL#teams#bot-1\" version=1");
}

TEST(PrepareForWrite, derives_only_from_present_attributes) {
  const Item plain = Written("conversations-dev", "conversation", kConversation);
  EXPECT_EQ(At(plain, "primary_channel"), "\"+44711\"");
  EXPECT_EQ(At(plain, "gsi_recipient_tel"), "\"+44711\"");
  EXPECT_EQ(At(plain, "gsi_recipient_email"), "not there");
  EXPECT_EQ(At(plain, "gsi_company_sms_number"), "not there");

  const Item config = {{"sms", Item{{"company_sms_number", "+44900"}}},
                       {"whatsapp", Item{{"company_whatsapp_number", "+44901"}}}};
  const Item bound =
      Written("conversations-dev", "conversation", With(kConversation, "channel_config", config));
  EXPECT_EQ(At(bound, "gsi_company_sms_number"), "\"+44900\"");
  EXPECT_EQ(At(bound, "gsi_company_whatsapp_number"), "not there") << "the channel is SMS";

  const Item flat = {{"company_sms_number", "+44902"}};
  EXPECT_EQ(At(Written("conversations-dev", "conversation", With(kConversation, "channel_config", flat)),
               "gsi_company_sms_number"),
            "\"+44902\"");
  const Item again = Written("conversations-dev", "conversation", Without(bound, "channel_config"), &bound);
  EXPECT_EQ(At(again, "gsi_company_sms_number"), "not there") << "its source is gone";
}

TEST(PrepareForWrite, drops_index_keys_that_are_null_or_empty) {
  const Item workspace = {{"workspaceId", "w1"}, {"name", "One"}};
  EXPECT_EQ(At(Written("workspace", "workspace", With(workspace, "subscriptionId", AttributeValue())),
               "subscriptionId"),
            "not there");
  EXPECT_EQ(At(Written("workspace", "workspace", With(workspace, "subscriptionId", "")), "subscriptionId"),
            "not there");
  EXPECT_EQ(Outcome("workspace", "workspace", With(workspace, "subscriptionId", Number::Of(1))),
            "subscriptionId: must be S");
  EXPECT_EQ(
      At(Written("workspace", "workspace", With(workspace, "description", AttributeValue())), "description"),
      "null")
      << "no index has it";
}

TEST(PrepareForWrite, drops_every_attribute_of_an_index_key_that_is_null_or_empty) {
  TableDef def = SeedTable("workspace");
  IndexDef index = def.indexes.front();
  index.keys.more_hash = {{"land"}};
  index.keys.range = KeyAttribute{"city"};
  index.keys.more_range = {{"street"}};
  def.indexes.push_back(index);
  const Item workspace = {{"workspaceId", "w1"}, {"name", "One"}};
  for (const char* name : {"land", "city", "street"}) {
    const auto outcome = [&](AttributeValue value) {
      return PrepareForWrite(def, KindOf(def, "workspace"), With(workspace, name, std::move(value)), nullptr,
                             kNoon);
    };
    EXPECT_EQ(At(outcome("").item, name), "not there");
    EXPECT_EQ(At(outcome(AttributeValue()).item, name), "not there");
    EXPECT_EQ(Outcome(outcome(Number::Of(1))), std::string(name) + ": must be S");
  }
}

TEST(PrepareForWrite, CV_takes_the_recipient_by_the_channel) {
  Item mail = With(With(kConversation, "channel_method", "email"), "recipient_email", "j@example.com");
  EXPECT_EQ(At(Written("conversations-dev", "conversation", mail), "primary_channel"), "\"j@example.com\"");
  EXPECT_EQ(Outcome("conversations-dev", "conversation", Without(mail, "recipient_email")),
            "primary_channel: is needed for the key primary_channel; recipient_email: is required");
  EXPECT_EQ(Outcome("conversations-dev", "conversation", With(kConversation, "primary_channel", "+1")),
            "primary_channel: differs from the value that its template gives");
}

TEST(PrepareForWrite, CV_begins_with_the_seeds_defaults) {
  const Item written = Written("conversations-dev", "conversation", kConversation);
  EXPECT_EQ(At(written, "messages"), "[]");
  EXPECT_EQ(At(written, "task_complete"), "0");
  EXPECT_EQ(At(written, "comms_consent"), "false");
  EXPECT_EQ(At(written, "email_id"), "null");
  EXPECT_EQ(At(written, "created_at"), "\"2026-08-01T12:00:00.000Z\"");
  EXPECT_EQ(At(written, "updated_at"), "\"2026-08-01T12:00:00.000Z\"");
}

TEST(PrepareForWrite, counts_versions_and_keeps_times) {
  const Item first = Written("agent", "agent", kAgent);
  EXPECT_EQ(At(first, "version"), "1");
  EXPECT_EQ(At(first, "updatedAt"), "not there");
  Item changed = With(With(first, "version", Number::Of(99)), "createdAt", "2020-01-01T00:00:00.000Z");
  const Item second = Written("agent", "agent", changed, &first, kLater);
  EXPECT_EQ(At(second, "version"), "2");
  EXPECT_EQ(At(second, "createdAt"), "\"2026-08-01T12:00:00.000Z\"");
  EXPECT_EQ(At(second, "updatedAt"), "\"2026-08-01T12:00:01.500Z\"");
  EXPECT_EQ(At(Written("agent", "agent", second, &second, kLater), "version"), "3");
}

TEST(PrepareForWrite, continues_an_item_that_was_written_without_a_version) {
  const Item raw = {{"pk", "agents/w1/a1"}, {"sk", "agent"}, {"workspaceId", "w1"}};
  EXPECT_EQ(At(Written("agent", "agent", kAgent, &raw), "version"), "1");
}

// A time in another form would be in the wrong place of an index.
TEST(PrepareForWrite, takes_times_in_one_form) {
  const auto outcome = [](const char* time) {
    return Outcome("conversations-dev", "conversation",
                   With(kConversation, "initial_request_timestamp", time));
  };
  const std::string why = "initial_request_timestamp: must be a time like 2026-01-31T17:05:09.123Z";
  EXPECT_NE(outcome("2023-09-15T11:45:32.789Z"), why);
  for (const char* time : {"2023-09-15T11:45:32Z", "2023-09-15T11:45:32.789+00:00Z",
                           "2023-09-15T11:45:32.789+00:00", "2023-13-15T11:45:32.789Z", "yesterday", ""})
    EXPECT_EQ(outcome(time), why) << time;
}

TEST(PrepareForWrite, refuses_items_that_break_a_rule) {
  EXPECT_EQ(Outcome("agent", "agent", Without(kAgent, "name")), "name: is required");
  EXPECT_EQ(Outcome("agent", "agent", With(kAgent, "name", AttributeValue())), "name: is required");
  EXPECT_EQ(Outcome("agent", "agent", With(kAgent, "name", Number::Of(1))), "name: must be S");
  EXPECT_EQ(Outcome("agent", "agent", With(kAgent, "provider", "mine")),
            "provider: must be one of google, openai, anthropic");
  EXPECT_EQ(Outcome("agent", "agent", With(kAgent, "temperature", Number::Must("2.1"))),
            "temperature: must be at most 2");
  EXPECT_EQ(Outcome("agent", "agent", With(kAgent, "temperature", Number::Must("-0.1"))),
            "temperature: must be at least 0");
  EXPECT_EQ(At(Written("agent", "agent", With(kAgent, "temperature", Number::Must("1.95"))), "temperature"),
            "1.95");
  EXPECT_EQ(Outcome("mcp-server", "server",
                    {{"workspaceId", "w"},
                     {"serverId", "s"},
                     {"name", "n"},
                     {"url", "ftp://x"},
                     {"authType", "none"},
                     {"config", Item()}}),
            "url: must be an http or https URL");
  EXPECT_EQ(Outcome("Events", "event", With(kEvent, "event_id", "evt_12345678")), "event_id: must be a UUID");
  const Item key = {{"userId", "u"},  {"keyId", "k"},         {"keyHash", "h"},
                    {"keySalt", "s"}, {"keyLookupHash", "l"}, {"keyPrefix", "hmat_12345678"}};
  EXPECT_EQ(Outcome("user-api-key", "key", key), "keyPrefix: must have at most 12 bytes");
}

TEST(PrepareForWrite, reports_each_attribute_once_and_all_of_them) {
  EXPECT_EQ(Outcome("agent", "agent", {{"workspaceId", "w1"}, {"agentId", "a1"}, {"topP", Number::Of(2)}}),
            "name: is required; systemPrompt: is required; topP: must be at most 1");
}

TEST(PrepareForWrite, keeps_attributes_that_no_rule_names) {
  EXPECT_EQ(At(Written("agent", "agent", With(kAgent, "colour", "green")), "colour"), "\"green\"");
}

TEST(PrepareForWrite, refuses_changes_of_attributes_that_are_set_once) {
  const Item before = Written("Events", "event", kEvent);
  const std::string why = "timestamp: cannot change";
  EXPECT_EQ(Outcome("Events", "event", With(before, "timestamp", Number::Of(5)), &before), why);
  EXPECT_EQ(Outcome("Events", "event", Without(before, "timestamp"), &before), why);
  Item token = {{"userId", "u"},    {"tokenId", "t"},         {"tokenHash", "h"},
                {"tokenSalt", "s"}, {"tokenLookupHash", "l"}, {"expiresAt", "2026-09-01T12:00:00.000Z"}};
  const Item live = Written("user-refresh-token", "token", token);
  const Item revoked =
      Written("user-refresh-token", "token", With(live, "revokedAt", "2026-08-01T12:00:00.000Z"), &live);
  EXPECT_EQ(Outcome("user-refresh-token", "token", Without(revoked, "revokedAt"), &revoked),
            "revokedAt: cannot change");
}

TEST(PrepareForWrite, T3_U2_folds_addresses) {
  EXPECT_EQ(At(Written("tenants", "user", kUser), "email"), "\"ann@example.com\"");
  EXPECT_EQ(Outcome("tenants", "user", With(kUser, "email", "ann")), "email: must be an e-mail address");
}

// Unique rule 1 of the table: a second invitation is allowed once the first is answered.
TEST(PrepareForWrite, HM_18_names_an_address_while_its_invitation_is_open) {
  const Item invite = {{"workspaceId", "w"},
                       {"inviteId", "i"},
                       {"email", "Bob@example.com"},
                       {"token", "t"},
                       {"permissionLevel", Number::Of(2)},
                       {"invitedBy", "users/ann"},
                       {"expiresAt", "2026-08-08T12:00:00.000Z"},
                       {"expires", Number::Must("1786190400")}};
  const Item open = Written("workspace-invite", "invite", invite);
  EXPECT_EQ(At(open, "pendingEmail"), "\"bob@example.com\"");
  for (const char* end : {"acceptedAt", "revokedAt"}) {
    const Item done =
        Written("workspace-invite", "invite", With(open, end, "2026-08-02T12:00:00.000Z"), &open);
    EXPECT_EQ(At(done, "pendingEmail"), "not there") << end;
  }
}

TEST(FindKind, finds_kinds_by_their_keys) {
  const TableDef& tenants = SeedTable("tenants");
  const auto kind = [&](const char* pk, const char* sk) -> std::string {
    const ItemKind* found = FindKind(tenants, {{"pk", pk}, {"sk", sk}});
    return found ? found->name : "none";
  };
  EXPECT_EQ(kind("TENANT#a", "META"), "tenant");
  EXPECT_EQ(kind("TENANT#a", "USER#b"), "user");
  EXPECT_EQ(kind("TENANT#a", "CHANNEL#teams#x"), "channel");
  EXPECT_EQ(kind("TENANT#a", "MEMORY#b#1"), "memory");
  EXPECT_EQ(kind("TENANT#a", "USER#"), "none");
  EXPECT_EQ(kind("USER#a", "META"), "none") << "no item has such a key";
}

TEST(FindKind, prefers_the_template_with_more_text_of_its_own) {
  TableDef def;
  def.keys = {{"pk", AttributeType::kString}, KeyAttribute{"sk", AttributeType::kString}};
  def.kinds.resize(2);
  def.kinds[0].name = "any";
  def.kinds[0].hash = "{a}";
  def.kinds[0].range = "{b}";
  def.kinds[1].name = "user";
  def.kinds[1].hash = "{a}";
  def.kinds[1].range = "USER#{b}";
  EXPECT_EQ(FindKind(def, {{"pk", "x"}, {"sk", "USER#1"}})->name, "user");
  EXPECT_EQ(FindKind(def, {{"pk", "x"}, {"sk", "1"}})->name, "any");
}

TEST(FindKind, finds_kinds_of_one_form_by_their_enums) {
  const TableDef& def = SeedTable("token-usage-aggregates");
  for (const char* type : {"workspace", "agent", "user"}) {
    const ItemKind* found = FindKind(
        def,
        {{"pk", "aggregates/x/2026-08-01"}, {"sk", "workspace:m:google:platform"}, {"aggregateType", type}});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->name, type);
  }
}

}  // namespace
}  // namespace parley::storage
