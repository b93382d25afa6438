// Table keys: records, permissions, and when a change takes effect.
#include "accounts/table_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <set>
#include <thread>

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "tests/accounts/memory_table_keys.h"
#include "tests/storage/memory_sealer.h"

namespace parley::accounts {
namespace {

using protocol::ErrorCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const protocol::TenantId kKeyTenant{"acme"};
const protocol::TenantId kKeylessTenant{"other"};
constexpr protocol::Time kKeyTime{1'795'348'800'000};
// Sealed the first records; it is the store's own secret.
constexpr std::string_view kStoreSecret = "0123456789abcdef0123456789abcdef";
const storage::Sealer kSealer = storage::SealerInMemory("table keys");

// Answers when the test asks, in any order.
class HeldStore final : public MemoryTableKeys {
 public:
  void Put(TableKeyRow row, Then then) override {
    records.push_back(row.record);
    if (!holds) return MemoryTableKeys::Put(std::move(row), std::move(then));
    held.push_back([this, row = std::move(row), then = std::move(then)](bool ok) mutable {
      if (ok) return MemoryTableKeys::Put(std::move(row), std::move(then));
      then({storage::StatusCode::kUnavailable, "broken"});
    });
  }
  void Answer(size_t n, bool ok = true) {
    const auto answer = std::move(held[n]);
    held.erase(held.begin() + static_cast<ptrdiff_t>(n));
    answer(ok);
  }

  bool holds = false;
  std::deque<std::function<void(bool)>> held;
  std::vector<std::string> records;
};

class TableKeysTest : public testing::Test {
 protected:
  TableKeys::Made Make(const TableKeys::Wish& wish = {}, const protocol::TenantId& tenant = kKeyTenant,
                       protocol::Time now = kKeyTime) {
    std::optional<protocol::Result<TableKeys::Made>> made;
    keys_->Make(tenant, wish, now, [&](auto result) { made.emplace(std::move(result)); });
    EXPECT_TRUE(made && made->ok());
    return made && made->ok() ? **made : TableKeys::Made{};
  }
  ErrorCode MakeFault(const TableKeys::Wish& wish = {}, protocol::Time now = kKeyTime) {
    std::optional<protocol::Result<TableKeys::Made>> made;
    keys_->Make(kKeyTenant, wish, now, [&](auto result) { made.emplace(std::move(result)); });
    EXPECT_TRUE(made && !made->ok());
    return made && !made->ok() ? made->error().code : ErrorCode::kInternal;
  }
  std::optional<ErrorCode> Revoke(const AccessKeyId& id, const protocol::TenantId& tenant = kKeyTenant) {
    std::optional<ErrorCode> fault;
    keys_->Revoke(tenant, id, [&](auto result) {
      if (!result.ok()) fault = result.error().code;
    });
    return fault;
  }
  TableKeyStatus StatusOf(const AccessKeyId& id) { return keys_->Find(id.ToText())->status; }
  void Restart(const storage::Sealer& sealer = kSealer) {
    keys_ = std::make_unique<TableKeys>(store_, sealer, [](size_t n) { return protocol::RandomBytes(n); });
    EXPECT_TRUE(keys_->Load().ok());
  }

  HeldStore store_;
  std::unique_ptr<TableKeys> keys_ =
      std::make_unique<TableKeys>(store_, kSealer, [](size_t n) { return protocol::RandomBytes(n); });
};

// --- ids and secrets

TEST(AccessKeyId, looks_like_amazons) {
  EXPECT_TRUE(AccessKeyId::FromText("PKTABCDEFGHIJKLMNOP7"));
  for (const char* bad : {"", "PKT", "AKIABCDEFGHIJKLMNOP7", "PKTABCDEFGHIJKLMNOP", "PKTABCDEFGHIJKLMNOP77",
                          "PKTABCDEFGHIJKLMNOP1", "PKTabcdefghijklmnop7", "pktABCDEFGHIJKLMNOP7"})
    EXPECT_FALSE(AccessKeyId::FromText(bad)) << bad;
  const auto random = [](size_t n) { return protocol::RandomBytes(n); };
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string id = NewAccessKeyId(random).ToText();
    EXPECT_TRUE(AccessKeyId::FromText(id)) << id;
    EXPECT_TRUE(seen.insert(id).second);
    const std::string secret = NewTableSecret(random);
    EXPECT_EQ(secret.size(), 40u);
    EXPECT_EQ(secret.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"),
              std::string::npos);
    EXPECT_TRUE(seen.insert(secret).second);
  }
}

// --- records

TableKey SomeKey() {
  TableKey key;
  key.tenant = kKeyTenant;
  key.id = *AccessKeyId::FromText("PKTABCDEFGHIJKLMNOP7");
  key.sealed_secret = TableKeySeal(kSealer).Seal(key, "the secret");
  key.name = "back end";
  key.tables = {"notes", "notes-2"};
  key.read_only = true;
  key.status = TableKeyStatus::kRevoked;
  key.created_at = kKeyTime;
  key.last_used_at = protocol::Time{kKeyTime.ms + 5};
  key.idempotency_key = "k";
  key.request_digest = protocol::Sha256("wish");
  return key;
}

TEST(TableKeyRecord, reads_back_as_written) {
  const TableKey key = SomeKey();
  const std::string record = EncodeTableKey(key);
  const auto read = DecodeTableKey(key.tenant, key.id, record);
  ASSERT_TRUE(read);
  EXPECT_EQ(EncodeTableKey(*read), record);
  EXPECT_EQ(read->name, "back end");
  EXPECT_THAT(read->tables, ElementsAre("notes", "notes-2"));
  EXPECT_TRUE(read->read_only);
  EXPECT_EQ(read->status, TableKeyStatus::kRevoked);
  EXPECT_EQ(read->created_at, kKeyTime);
  EXPECT_EQ(read->last_used_at, key.last_used_at);
  EXPECT_EQ(read->request_digest, key.request_digest);
  EXPECT_EQ(TableKeySeal(kSealer).Open(*read), "the secret");
  for (size_t size = 0; size < record.size(); ++size)
    EXPECT_FALSE(DecodeTableKey(key.tenant, key.id, record.substr(0, size))) << size;
}

// Written by the first version, which had only these members; it must stay readable.
TEST(TableKeyRecord, of_the_first_version_is_readable) {
  std::string record;
  ASSERT_TRUE(protocol::FromBase64Url(
      "hqxzZWFsZWRTZWNyZXTZM0tHaVB4MEE0R1ZrUldyZHF4elJXdDIzeC1RY2JiT0paMzVnSjBkOEJBOTZzVkFmM3I1TaRuYW1l"
      "qGJhY2sgZW5kpnRhYmxlc5Klbm90ZXOnbm90ZXMtMqhyZWFkT25secOmc3RhdHVzp3Jldm9rZWSpY3JlYXRlZEF0uDIwMjYt"
      "MTEtMjJUMTI6MDA6MDAuMDAwWg",
      &record));
  const auto read = DecodeTableKey(kKeyTenant, SomeKey().id, record);
  ASSERT_TRUE(read);
  EXPECT_EQ(TableKeySeal(storage::Sealer({}, kStoreSecret)).Open(*read), "the secret");
  EXPECT_EQ(TableKeySeal(kSealer).Open(*read), std::nullopt) << "nothing of the store's secret counts";
  EXPECT_EQ(read->name, "back end");
  EXPECT_THAT(read->tables, ElementsAre("notes", "notes-2"));
  EXPECT_TRUE(read->read_only);
  EXPECT_EQ(read->status, TableKeyStatus::kRevoked);
  EXPECT_EQ(read->created_at, kKeyTime);
  EXPECT_EQ(read->last_used_at, std::nullopt);
}

TEST(TableKeyRecord, hides_the_secret_and_opens_only_in_its_place) {
  TableKey key = SomeKey();
  EXPECT_THAT(EncodeTableKey(key), Not(HasSubstr("the secret")));
  EXPECT_EQ(TableKeySeal(storage::SealerInMemory("another store")).Open(key), std::nullopt);
  key.tenant = kKeylessTenant;
  EXPECT_EQ(TableKeySeal(kSealer).Open(key), std::nullopt);
}

// --- what a key allows

TEST(TableKeyAllows, only_its_tables_and_only_reading) {
  TableKey key;
  EXPECT_TRUE(Allows(key, "any", true));
  key.tables = {"notes"};
  EXPECT_TRUE(Allows(key, "notes", true));
  EXPECT_FALSE(Allows(key, "Notes", false));
  EXPECT_FALSE(Allows(key, "notes2", false));
  key.read_only = true;
  EXPECT_TRUE(Allows(key, "notes", false));
  EXPECT_FALSE(Allows(key, "notes", true));
  key = {};
  key.status = TableKeyStatus::kRevoked;
  EXPECT_FALSE(Allows(key, "any", false));
}

TEST(TableName, has_dynamodbs_rules) {
  for (const char* good : {"abc", "A.b-c_9"}) EXPECT_TRUE(IsTableName(good)) << good;
  EXPECT_TRUE(IsTableName(std::string(255, 'a')));
  for (const char* bad : {"", "ab", "a b", "a/b", "\xc3\xbc\xc3\xbc"}) EXPECT_FALSE(IsTableName(bad)) << bad;
  EXPECT_FALSE(IsTableName(std::string(256, 'a')));
}

// --- the directory

TEST_F(TableKeysTest, a_key_is_found_with_its_tenant_and_secret) {
  const auto made = Make({"back end", {"notes"}, true, ""});
  const auto found = keys_->Find(made.key->id.ToText());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->tenant, kKeyTenant);
  EXPECT_EQ(keys_->SecretOf(*found), made.secret);
  EXPECT_EQ(found->created_at, kKeyTime);
  EXPECT_EQ(keys_->Find("PKTABCDEFGHIJKLMNOP7"), nullptr);
  EXPECT_EQ(keys_->Find(""), nullptr);
}

TEST_F(TableKeysTest, keys_outlive_a_restart_and_no_row_contains_a_secret) {
  const auto first = Make({"first", {}, false, ""});
  const auto second = Make({"second", {}, false, ""}, kKeyTenant, {kKeyTime.ms + 1});
  Revoke(second.key->id);
  Restart();
  EXPECT_EQ(keys_->SecretOf(*keys_->Find(first.key->id.ToText())), first.secret);
  EXPECT_EQ(StatusOf(second.key->id), TableKeyStatus::kRevoked);
  std::vector<std::string> names;
  for (const auto& key : keys_->List(kKeyTenant)) names.push_back(key->name);
  EXPECT_THAT(names, ElementsAre("first", "second"));
  EXPECT_EQ(store_.records.size(), 3u);
  for (const std::string& record : store_.records) {
    EXPECT_THAT(record, Not(HasSubstr(first.secret)));
    EXPECT_THAT(record, Not(HasSubstr(second.secret)));
  }
}

TEST_F(TableKeysTest, keys_sealed_by_another_store_open_nothing) {
  const auto made = Make();
  Restart(storage::SealerInMemory("another store"));
  EXPECT_EQ(keys_->Find(made.key->id.ToText()), nullptr);
}

TEST_F(TableKeysTest, each_tenant_lists_and_revokes_only_its_own) {
  const auto mine = Make();
  const auto theirs = Make({}, kKeylessTenant);
  ASSERT_EQ(keys_->List(kKeyTenant).size(), 1u);
  EXPECT_EQ(keys_->List(kKeyTenant)[0]->id, mine.key->id);
  EXPECT_EQ(Revoke(theirs.key->id), ErrorCode::kNotFound);
  EXPECT_EQ(StatusOf(theirs.key->id), TableKeyStatus::kActive);
  EXPECT_EQ(Revoke(*AccessKeyId::FromText("PKTABCDEFGHIJKLMNOP7")), ErrorCode::kNotFound);
  EXPECT_THAT(keys_->List({"nobody"}), IsEmpty());
}

TEST_F(TableKeysTest, a_revoked_key_stays_listed_and_can_be_revoked_once) {
  const auto made = Make();
  EXPECT_EQ(Revoke(made.key->id), std::nullopt);
  EXPECT_EQ(Revoke(made.key->id), std::nullopt);
  ASSERT_EQ(keys_->List(kKeyTenant).size(), 1u);
  EXPECT_EQ(keys_->List(kKeyTenant)[0]->status, TableKeyStatus::kRevoked);
}

TEST_F(TableKeysTest, a_key_exists_once_it_is_durable) {
  store_.holds = true;
  std::optional<protocol::Result<TableKeys::Made>> made;
  keys_->Make(kKeyTenant, {}, kKeyTime, [&](auto result) { made.emplace(std::move(result)); });
  EXPECT_FALSE(made);
  EXPECT_THAT(keys_->List(kKeyTenant), IsEmpty());
  store_.Answer(0);
  ASSERT_TRUE(made && made->ok());
  EXPECT_TRUE(keys_->Find((*made)->key->id.ToText()));
}

TEST_F(TableKeysTest, a_key_whose_write_failed_does_not_exist) {
  store_.holds = true;
  std::optional<protocol::Result<TableKeys::Made>> made;
  keys_->Make(kKeyTenant, {}, kKeyTime, [&](auto result) { made.emplace(std::move(result)); });
  store_.Answer(0, false);
  ASSERT_TRUE(made && !made->ok());
  EXPECT_EQ(made->error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(keys_->List(kKeyTenant), IsEmpty());
}

TEST_F(TableKeysTest, a_failed_write_of_a_revocation_is_reported) {
  const auto made = Make();
  store_.holds = true;
  std::optional<protocol::Result<TableKeyPtr>> done;
  keys_->Revoke(kKeyTenant, made.key->id, [&](auto result) { done.emplace(std::move(result)); });
  EXPECT_FALSE(done);
  store_.Answer(0, false);
  ASSERT_TRUE(done && !done->ok());
  EXPECT_EQ(done->error().code, ErrorCode::kUnavailable);
}

TEST_F(TableKeysTest, a_late_note_of_a_use_does_not_restore_a_revoked_key) {
  const auto made = Make();
  store_.holds = true;
  keys_->NoteUse(*made.key, kKeyTime);
  bool revoked = false;
  keys_->Revoke(kKeyTenant, made.key->id, [&](auto result) { revoked = result.ok(); });
  store_.Answer(1);  // the answers arrive in another order than the writes
  EXPECT_TRUE(revoked);
  EXPECT_EQ(StatusOf(made.key->id), TableKeyStatus::kRevoked);
  store_.Answer(0);
  EXPECT_EQ(StatusOf(made.key->id), TableKeyStatus::kRevoked);
  keys_->NoteUse(*made.key, {kKeyTime.ms + 2 * kTableKeyUseMs});  // by a request that found the key before
  store_.Answer(0);
  EXPECT_EQ(StatusOf(made.key->id), TableKeyStatus::kRevoked);
}

TEST_F(TableKeysTest, a_use_is_written_at_most_once_an_hour) {
  const auto made = Make();
  const auto used = [&](int64_t after_ms) {
    keys_->NoteUse(*keys_->Find(made.key->id.ToText()), {kKeyTime.ms + after_ms});
    return keys_->Find(made.key->id.ToText())->last_used_at->ms - kKeyTime.ms;
  };
  EXPECT_EQ(used(1000), 1000);
  EXPECT_EQ(used(2000), 1000);
  EXPECT_EQ(used(1000 + kTableKeyUseMs), 1000 + kTableKeyUseMs);
  EXPECT_EQ(store_.records.size(), 3u);
  Restart();
  EXPECT_EQ(keys_->List(kKeyTenant)[0]->last_used_at->ms - kKeyTime.ms, 1000 + kTableKeyUseMs);
}

TEST_F(TableKeysTest, the_active_keys_of_a_tenant_are_bounded) {
  AccessKeyId first = Make().key->id;
  for (size_t i = 1; i < kTableKeysActiveMax; ++i) Make();
  EXPECT_EQ(MakeFault(), ErrorCode::kTooLarge);
  Make({}, kKeylessTenant);
  Revoke(first);
  Make();
  EXPECT_EQ(MakeFault(), ErrorCode::kTooLarge);
}

TEST_F(TableKeysTest, beyond_the_limit_the_oldest_revoked_key_is_removed) {
  const AccessKeyId kept = Make().key->id;
  const AccessKeyId oldest = Make().key->id;
  Revoke(oldest);
  for (size_t i = 2; i < kTableKeysMax; ++i) Revoke(Make().key->id);
  EXPECT_EQ(keys_->List(kKeyTenant).size(), kTableKeysMax);
  EXPECT_TRUE(keys_->Find(oldest.ToText()));
  Make();
  EXPECT_EQ(keys_->List(kKeyTenant).size(), kTableKeysMax);
  EXPECT_FALSE(keys_->Find(oldest.ToText()));
  EXPECT_TRUE(keys_->Find(kept.ToText()));
  Restart();
  EXPECT_EQ(keys_->List(kKeyTenant).size(), kTableKeysMax);
}

TEST_F(TableKeysTest, a_repeated_request_makes_no_second_key_and_shows_no_secret) {
  const TableKeys::Wish wish{"a", {"notes"}, false, "k1"};
  const auto first = Make(wish);
  const auto again = Make(wish, kKeyTenant, {kKeyTime.ms + kTableKeyRepeatMs - 1});
  EXPECT_EQ(again.key->id, first.key->id);
  EXPECT_EQ(again.secret, "");
  EXPECT_EQ(MakeFault({"b", {"notes"}, false, "k1"}), ErrorCode::kIdempotencyConflict);
  EXPECT_EQ(MakeFault({"a", {}, false, "k1"}), ErrorCode::kIdempotencyConflict);
  EXPECT_EQ(MakeFault({"a", {"notes"}, true, "k1"}), ErrorCode::kIdempotencyConflict);
  EXPECT_NE(Make(wish, kKeylessTenant).key->id, first.key->id);
  Restart();
  EXPECT_EQ(Make(wish).key->id, first.key->id);
  EXPECT_NE(Make(wish, kKeyTenant, {kKeyTime.ms + kTableKeyRepeatMs}).key->id, first.key->id)
      << "a day later";
}

TEST_F(TableKeysTest, a_repeat_waits_for_the_first) {
  store_.holds = true;
  std::vector<std::string> answers;
  const auto note = [&](const protocol::Result<TableKeys::Made>& made) {
    answers.push_back(made.ok() ? made->key->id.ToText() + made->secret : "failed");
  };
  keys_->Make(kKeyTenant, {"a", {}, false, "k1"}, kKeyTime, note);
  keys_->Make(kKeyTenant, {"a", {}, false, "k1"}, kKeyTime, note);
  EXPECT_EQ(MakeFault({"b", {}, false, "k1"}), ErrorCode::kIdempotencyConflict) << "that is known at once";
  EXPECT_TRUE(answers.empty());
  store_.Answer(0);
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_THAT(answers[0], testing::StartsWith(answers[1])) << "the same key, without its secret";
  EXPECT_GT(answers[0].size(), answers[1].size());
}

TEST_F(TableKeysTest, a_repeat_fails_with_the_first) {
  store_.holds = true;
  std::vector<ErrorCode> faults;
  const auto note = [&](const protocol::Result<TableKeys::Made>& made) {
    if (!made.ok()) faults.push_back(made.error().code);
  };
  keys_->Make(kKeyTenant, {"a", {}, false, "k1"}, kKeyTime, note);
  keys_->Make(kKeyTenant, {"a", {}, false, "k1"}, kKeyTime, note);
  store_.Answer(0, false);
  EXPECT_THAT(faults, ElementsAre(ErrorCode::kUnavailable, ErrorCode::kUnavailable));
  store_.holds = false;
  EXPECT_NE(Make({"a", {}, false, "k1"}).secret, "") << "nothing was made";
}

// The thread sanitizer finds races here; in every build this shows that a revocation takes effect at once.
TEST_F(TableKeysTest, a_revocation_takes_effect_on_all_threads) {
  const auto made = Make();
  std::atomic<bool> revoked{false}, stop{false}, resurrected{false};
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&, i] {
      for (int64_t turn = 0; !stop; ++turn) {
        const bool was_revoked = revoked;
        const auto key = keys_->Find(made.key->id.ToText());
        if (was_revoked && key->status == TableKeyStatus::kActive) resurrected = true;
        keys_->NoteUse(*key, {kKeyTime.ms + (turn + i) * kTableKeyUseMs});
      }
    });
  }
  Revoke(made.key->id);
  revoked = true;
  for (int i = 0; i < 50; ++i) Make();
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_FALSE(resurrected);
  Restart();
  EXPECT_EQ(StatusOf(made.key->id), TableKeyStatus::kRevoked);
}

}  // namespace
}  // namespace parley::accounts
