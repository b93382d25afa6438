// Tests the audit chain's rows: an entry's fields, its link to the previous entry, and that an act and its
// entry are written together or not at all.
#include "accounts/audit/audit_chain.h"

#include <gmock/gmock.h>

#include <fstream>

#include "features/events/event.h"
#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "protocol/encode.h"
#include "protocol/writer.h"
#include "tests/accounts/record_scene.h"

namespace parley::features {
namespace {

using protocol::AuditId;
using protocol::ChainEntry;
using testing::ElementsAre;

accounts::AuditAct Act(std::string action, std::string reason = "r") {
  accounts::AuditAct act;
  act.actor = *protocol::UserId::FromText("ann");
  act.actor_role = "admin";
  act.action = std::move(action);
  act.reason = std::move(reason);
  return act;
}

class Chain : public accounts::RecordScene {
 public:
  protocol::Result<AuditId> Record(accounts::AuditAct act) {
    return Decide<AuditId>([&](accounts::RecordTransaction& tx) -> protocol::Result<AuditId> {
      PARLEY_TRY(id, accounts::RecordAct(tx, std::move(act)));
      PARLEY_CHECK_OK(tx.Commit());
      return id;
    });
  }
  std::vector<ChainEntry> Entries() {
    std::vector<ChainEntry> out;
    EXPECT_TRUE(items.table()
                    .Scan(accounts::AuditPartition(tenant), storage::SortRange::All(),
                          storage::Direction::kForward, SIZE_MAX,
                          [&](std::string_view sort, storage::RowView row) {
                            uint64_t seq = 0;
                            if (accounts::ParseAuditEntryKey(sort, &seq)) {
                              EXPECT_TRUE(accounts::DecodeChainEntry(row.payload, &out.emplace_back()));
                              EXPECT_EQ(static_cast<uint64_t>(out.back().seq), seq);
                            }
                            return true;
                          })
                    .ok());
    return out;
  }
  accounts::AuditHead Head() {
    std::optional<storage::Row> row;
    EXPECT_TRUE(items.table().Get(accounts::AuditPartition(tenant), accounts::AuditHeadKey(), &row).ok());
    accounts::AuditHead head;
    EXPECT_TRUE(!row || accounts::DecodeAuditHead(row->payload, &head));
    return head;
  }
};

TEST(AuditChain, an_entry_is_bound_to_the_one_before_it) {
  Chain chain;
  EXPECT_EQ(accounts::CodeOf(chain.Record(Act("a"))), "ok");
  EXPECT_EQ(accounts::CodeOf(chain.Record(Act("b"))), "ok");
  const auto entries = chain.Entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].prev_hash, protocol::kNoHash);
  EXPECT_EQ(entries[1].prev_hash, entries[0].hash);
  EXPECT_NE(entries[0].audit_id, entries[1].audit_id);
  EXPECT_EQ(chain.Head().entries, 2u);
  EXPECT_EQ(chain.Head().hash, entries[1].hash);
}

// The hash as any reader can compute it, from the text.
TEST(AuditChain, the_hash_covers_the_canonical_json) {
  Chain chain;
  accounts::AuditAct act = Act("moderation.user", "he said \"x\"\n\u00e9");
  act.user_id = *protocol::UserId::FromText("bob");
  act.case_id = "case_1";
  act.before = protocol::StatesOf({{"state", "ok"}, {"a", "1"}});
  ASSERT_EQ(accounts::CodeOf(chain.Record(act)), "ok");
  const ChainEntry entry = chain.Entries().at(0);
  const std::string json =
      R"({"action":"moderation.user","actor":"ann","actorRole":"admin","after":null,"at":")" +
      protocol::FormatTime(entry.at) + R"(","auditId":")" + entry.audit_id.ToText() +
      R"(","before":{"a":"1","state":"ok"},"caseId":"case_1","messageId":null,)"
      R"("reason":"he said \"x\"\n)"
      "\u00e9"
      R"(","seq":1,"threadId":null,"userId":"bob"})";
  EXPECT_EQ(protocol::CanonicalJson(entry), json);
  EXPECT_EQ(entry.hash, protocol::Hex(protocol::Sha256(std::string(64, '0') + json)));
}

TEST(AuditChain, several_acts_of_one_decision_are_chained_in_order) {
  Chain chain;
  const auto done = chain.Decide<protocol::Unit>([](accounts::RecordTransaction& tx) -> protocol::Status {
    for (const char* action : {"a", "b", "c"}) PARLEY_CHECK_OK(accounts::RecordAct(tx, Act(action)));
    return tx.Commit();
  });
  EXPECT_EQ(accounts::CodeOf(done), "ok");
  std::vector<std::string> actions;
  for (const ChainEntry& entry : chain.Entries()) actions.push_back(entry.action);
  EXPECT_THAT(actions, ElementsAre("a", "b", "c"));
  EXPECT_EQ(chain.Head().entries, 3u);
}

TEST(AuditChain, decisions_of_one_batch_follow_each_other) {
  Chain chain;
  const auto record = [](const char* action) {
    return [action](accounts::RecordTransaction& tx) -> protocol::Result<AuditId> {
      PARLEY_TRY(id, accounts::RecordAct(tx, Act(action)));
      PARLEY_CHECK_OK(tx.Commit());
      return id;
    };
  };
  const auto both = chain.DecideBoth<AuditId>(record("a"), record("b"));
  EXPECT_NE(both.first.value(), both.second.value());
  const auto entries = chain.Entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[1].prev_hash, entries[0].hash);
}

// Without its act an entry would be a lie.
TEST(AuditChain, a_rejected_decision_leaves_no_entry) {
  Chain chain;
  const auto refused = chain.Decide<protocol::Unit>([&](accounts::RecordTransaction& tx) -> protocol::Status {
    PARLEY_CHECK_OK(accounts::RecordAct(tx, Act("a")));
    tx.Put(kEventsTable, "event", storage::Item{});  // lacks everything
    return tx.Commit();
  });
  EXPECT_NE(accounts::CodeOf(refused), "ok");
  EXPECT_EQ(chain
                .Decide<protocol::Unit>([&](accounts::RecordTransaction& tx) -> protocol::Status {
                  PARLEY_CHECK_OK(accounts::RecordAct(tx, Act("b")));
                  return protocol::Error(protocol::ErrorCode::kForbidden, "no");
                })
                .ok(),
            false);
  EXPECT_TRUE(chain.Entries().empty());
  EXPECT_EQ(chain.Head().entries, 0u);
}

TEST(AuditChain, each_tenant_has_its_own_chain) {
  Chain chain;
  ASSERT_TRUE(chain.Record(Act("a")).ok());
  chain.tenant = *protocol::TenantId::FromText("other");
  ASSERT_TRUE(chain.Record(Act("b")).ok());
  const auto entries = chain.Entries();
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].seq, 1);
  EXPECT_EQ(entries[0].prev_hash, protocol::kNoHash);
}

TEST(AuditChain, a_too_large_entry_is_cut_and_never_rejected) {
  Chain chain;
  std::string long_reason;
  while (long_reason.size() < 2000) long_reason += "\u00e9";
  accounts::AuditAct act = Act("a", "x" + long_reason);
  act.case_id = std::string(500, 'c');
  act.before.emplace();
  for (int i = 0; i < 100; ++i)
    act.before->members.emplace_back("name" + std::to_string(i) + std::string(300, 'n'),
                                     std::string(5000, 's'));
  ASSERT_TRUE(chain.Record(act).ok());
  const ChainEntry entry = chain.Entries().at(0);
  EXPECT_LE(entry.reason.size(), protocol::kAuditReasonBytes);
  EXPECT_TRUE(protocol::IsUtf8(entry.reason));
  EXPECT_EQ(entry.case_id->size(), protocol::kAuditNameBytes);
  EXPECT_EQ(entry.before->members.size(), protocol::kAuditStatesMax);
  EXPECT_LT(protocol::Encode(entry).size(), size_t{12} << 10);
}

// As storage/FORMAT.md has them.
TEST(AuditChain, keys_have_the_bytes_of_their_specification) {
  const auto bytes = [](const storage::SortKey& key) { return protocol::Hex(key.bytes()); };
  const accounts::AuditPlace place{protocol::Time{1'762'351'927'123}, 258};
  EXPECT_EQ(protocol::Hex(accounts::AuditPartition(*protocol::TenantId::FromText("acme")).bytes()),
            "61636d65000d");
  EXPECT_EQ(bytes(accounts::AuditHeadKey()), "01");
  EXPECT_EQ(bytes(accounts::AuditEntryKey(258)), "020000000000000102");
  EXPECT_EQ(bytes(accounts::AuditTimeKey(place)), "030000019a545c4f530000000000000102");
  EXPECT_EQ(bytes(accounts::AuditFacetKey(accounts::AuditFacet::kActor, "usr_ann", place)),
            "0402"
            "7573725f616e6e00"
            "0000019a545c4f53"
            "0000000000000102");
  EXPECT_EQ(bytes(accounts::AuditLateKey(258)), "04050000000000000000000000000000000102");
}

// Reading any bytes fails or returns the written value.
TEST(AuditChain, an_invalid_head_is_rejected) {
  accounts::AuditHead head{300, protocol::Hex(protocol::Sha256("x"))}, read;
  const std::string bytes = accounts::EncodeAuditHead(head);
  ASSERT_TRUE(accounts::DecodeAuditHead(bytes, &read));
  EXPECT_EQ(read.entries, head.entries);
  EXPECT_EQ(read.hash, head.hash);
  for (size_t size = 0; size < bytes.size(); ++size)
    // A head without the last time is of a release whose lists were in the order of the acts' times.
    EXPECT_EQ(accounts::DecodeAuditHead(bytes.substr(0, size), &read), size == bytes.size() - 1) << size;
  EXPECT_FALSE(accounts::DecodeAuditHead(bytes + "x", &read));
}

// The rows by which lists find an entry.
TEST(AuditChain, an_entry_is_in_each_of_its_lists) {
  Chain chain;
  accounts::AuditAct act = Act("a");
  act.user_id = *protocol::UserId::FromText("bob");
  act.case_id = "case_1";
  ASSERT_TRUE(chain.Record(act).ok());
  const accounts::AuditPlace place{chain.items.clock.Now(), 1};
  for (const auto& key :
       {accounts::AuditTimeKey(place), accounts::AuditFacetKey(accounts::AuditFacet::kActor, "ann", place),
        accounts::AuditFacetKey(accounts::AuditFacet::kUser, "bob", place),
        accounts::AuditFacetKey(accounts::AuditFacet::kCase, "case_1", place)}) {
    std::optional<storage::Row> row;
    accounts::AuditPlace read;
    EXPECT_TRUE(chain.items.table().Get(accounts::AuditPartition(chain.tenant), key, &row).ok() && row);
    EXPECT_TRUE(accounts::ParseAuditPlace(key.bytes(), &read));
    EXPECT_EQ(read, place);
  }
}

}  // namespace
}  // namespace parley::features
