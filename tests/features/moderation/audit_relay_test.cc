// Tests that each act of staff in a thread becomes one entry of the audit chain, despite crashes.
#include "features/moderation/audit_relay.h"

#include <gmock/gmock.h>

#include <set>

#include "accounts/audit/audit_chain.h"
#include "protocol/base/encoding.h"
#include "tests/features/moderation/audit_scene.h"

namespace parley::features {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kLocks = "ann(admin) thread.setStatus status=locked reason=why";
constexpr const char* kOpens = "ann(admin) thread.setStatus status=open reason=over";

TEST(AuditRelay, an_act_of_staff_becomes_an_entry) {
  AuditScene scene;
  scene.Do("buyer thread.create; buyer message.send body=a");
  scene.Do(kLocks);
  scene.Settle();
  const auto entries = scene.Entries();
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].action, "thread.setStatus");
  EXPECT_EQ(entries[0].reason, "why");
  EXPECT_EQ(entries[0].actor->ToText(), "ann");
  EXPECT_EQ(entries[0].thread_id->ToText(), scene.core.names.IdOf("T"));
  EXPECT_EQ(entries[0].before->members.at(0).second, "open");
  EXPECT_EQ(scene.relay->position(), scene.core.table->LastPosition());
  EXPECT_THAT(scene.Verify(), IsEmpty());
}

TEST(AuditRelay, an_access_of_staff_becomes_an_entry) {
  AuditScene scene;
  scene.Do("buyer thread.create");
  scene.Look("message.list");
  scene.Settle();
  const auto entries = scene.Entries();
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].action, "look.message.list");
  EXPECT_EQ(entries[0].actor->ToText(), "ann");
  EXPECT_EQ(entries[0].actor_role, "support");
  EXPECT_THAT(scene.Verify(), IsEmpty());
}

TEST(AuditRelay, acts_of_members_add_no_entry) {
  AuditScene scene;
  scene.Do("buyer thread.create; buyer message.send body=a; buyer message.edit messageId=M1 body=b");
  scene.Settle();
  EXPECT_THAT(scene.Entries(), IsEmpty());
  EXPECT_EQ(scene.relay->position(), scene.core.table->LastPosition());
}

TEST(AuditRelay, acts_are_chained_in_the_order_in_which_they_were_committed) {
  AuditScene scene;
  scene.Do("buyer thread.create");
  for (int n = 0; n < 10; ++n) scene.Do(n % 2 == 0 ? kLocks : kOpens);
  scene.Settle();
  const auto entries = scene.Entries();
  ASSERT_EQ(entries.size(), 10u);
  for (size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].reason, i % 2 == 0 ? "why" : "over");
    EXPECT_EQ(entries[i].prev_hash, i == 0 ? std::string(protocol::kNoHash) : entries[i - 1].hash);
  }
  EXPECT_THAT(scene.Verify(), IsEmpty());
}

// Killed after each number of steps: no act is lost or doubled.
TEST(AuditRelay, chains_each_act_once_despite_crashes_between_any_two_steps) {
  constexpr int kStepsMost = 24;
  for (int steps = 0; steps <= kStepsMost; ++steps) {
    SCOPED_TRACE("steps before the crash: " + std::to_string(steps));
    AuditScene scene({2, 1, 1});
    scene.Do("buyer thread.create");
    for (int n = 0; n < 3; ++n) {
      scene.Do(kLocks);
      scene.Look("message.list");
      scene.Do(kOpens);
    }
    for (int n = 0; n < steps; ++n) n % 2 == 0 ? scene.relay->Step() : scene.writer->Step();
    scene.Crash();
    scene.Settle();
    std::set<std::string> ids;
    for (const auto& entry : scene.Entries()) ids.insert(entry.audit_id.ToText());
    EXPECT_EQ(scene.Entries().size(), 9u);
    EXPECT_EQ(ids.size(), 9u);
    EXPECT_THAT(scene.Verify(), IsEmpty());
  }
}

// The place that is saved with the projections' cursors is lost with them; the one beside the entries is not.
TEST(AuditRelay, a_write_requested_twice_is_done_once) {
  AuditScene scene;
  scene.Do("buyer thread.create");
  scene.Do(kLocks);
  std::vector<fanout::RelayedEntry> entries;
  EXPECT_TRUE(scene.core.table
                  ->ReadLog(0, SIZE_MAX,
                            [&](storage::Position position, std::string_view bytes) {
                              fanout::RelayedEntry one{position, {}};
                              EXPECT_TRUE(threads::DecodeChangeEntry(bytes, &one.entry));
                              if (one.entry.acts.value) entries.push_back(one);
                              return true;
                            })
                  .ok());
  ASSERT_EQ(entries.size(), 1u);
  const auto write = [&] {
    return *scene.Decide<size_t>([&](accounts::RecordTransaction& tx) -> protocol::Result<size_t> {
      return WriteAuditRows(tx.tx(), entries, entries[0].position).rows;
    });
  };
  EXPECT_EQ(write(), 1u);
  EXPECT_EQ(write(), 0u);
  EXPECT_EQ(scene.Entries().size(), 1u);
}

TEST(AuditRelay, acts_of_the_writer_are_chained_among_those_of_threads) {
  AuditScene scene;
  scene.Do("buyer thread.create");
  scene.Do(kLocks);
  scene.Settle();
  scene.RecordOwn("moderation.user");
  scene.Do(kOpens);
  scene.Settle();
  std::vector<std::string> actions;
  for (const auto& entry : scene.Entries()) actions.push_back(entry.action);
  EXPECT_THAT(actions, ElementsAre("thread.setStatus", "moderation.user", "thread.setStatus"));
  EXPECT_THAT(scene.Verify(), IsEmpty());
}

// --- faults are found

class AuditFaults : public testing::Test {
 protected:
  AuditFaults() {
    scene_.Do("buyer thread.create");
    scene_.Do(kLocks);
    scene_.Look("message.list");
    scene_.Do(kOpens);
    scene_.Settle();
    scene_.RecordOwn("moderation.user");
    EXPECT_THAT(scene_.Verify(), IsEmpty());
  }
  storage::PartitionKey Chain() { return accounts::AuditPartition(scene_.tenant); }
  void Plant(const storage::PartitionKey& partition, const storage::SortKey& sort,
             std::optional<storage::Row> row) {
    scene_.Plant(partition, sort, std::move(row));
  }
  protocol::ChainEntry Entry(uint64_t seq) { return scene_.Entries().at(seq - 1); }
  void Put(const protocol::ChainEntry& entry, uint64_t seq) {
    Plant(Chain(), accounts::AuditEntryKey(seq), storage::Row{1, protocol::Encode(entry)});
  }
  // With the matching hash, as a forger would write it.
  static protocol::ChainEntry Rehashed(protocol::ChainEntry entry) {
    entry.hash = protocol::Hex(protocol::Sha256(entry.prev_hash + protocol::CanonicalJson(entry)));
    return entry;
  }
  std::string Found() { return testing::PrintToString(scene_.Verify()); }

  AuditScene scene_;
};

TEST_F(AuditFaults, a_changed_entry_is_found) {
  auto entry = Entry(2);
  entry.actor = protocol::UserId{"eve"};
  Put(entry, 2);
  EXPECT_THAT(Found(), HasSubstr("entry 2 was changed"));
}

TEST_F(AuditFaults, a_changed_entry_with_a_new_hash_is_found_by_the_next) {
  auto entry = Entry(4);
  entry.reason = "another";
  Put(Rehashed(entry), 4);
  EXPECT_THAT(Found(), HasSubstr("its last hash differs from its head's"));
  entry = Entry(2);
  entry.reason = "another";
  Put(Rehashed(entry), 2);
  EXPECT_THAT(Found(), HasSubstr("entry 3 does not name the hash before it"));
}

TEST_F(AuditFaults, a_missing_entry_is_found) {
  Plant(Chain(), accounts::AuditEntryKey(2), std::nullopt);
  EXPECT_THAT(Found(), HasSubstr("entry 2 is missing"));
}

TEST_F(AuditFaults, a_missing_last_entry_is_found) {
  Plant(Chain(), accounts::AuditEntryKey(4), std::nullopt);
  EXPECT_THAT(Found(), HasSubstr("it ends at entry 3, but its head names 4"));
}

TEST_F(AuditFaults, reordered_entries_are_found) {
  const auto second = Entry(2), third = Entry(3);
  Put(second, 3);
  Put(third, 2);
  EXPECT_THAT(Found(), HasSubstr("entry 2 has another number in its text"));
}

TEST_F(AuditFaults, a_doubled_entry_is_found) {
  auto entry = Entry(1);
  entry.seq = 5;
  entry.prev_hash = Entry(4).hash;
  Put(Rehashed(entry), 5);
  accounts::AuditHead head{5, Rehashed(entry).hash};
  Plant(Chain(), accounts::AuditHeadKey(), storage::Row{1, accounts::EncodeAuditHead(head)});
  EXPECT_THAT(Found(), HasSubstr("entry 5 records an act that is in no thread, or was recorded before"));
}

TEST_F(AuditFaults, an_act_without_its_entry_is_found) {
  protocol::AuditFacts row = Entry(1);
  row.audit_id.ulid.bytes[8] ^= 1;
  row.seq = 0;
  Plant(scene_.ThreadOfT(), threads::ActKey(row.audit_id), storage::Row{1, protocol::Encode(row)});
  EXPECT_THAT(Found(), HasSubstr(row.audit_id.ToText() + " is not in the audit"));
}

TEST_F(AuditFaults, an_entry_without_its_act_is_found) {
  Plant(scene_.ThreadOfT(), threads::ActKey(Entry(1).audit_id), std::nullopt);
  EXPECT_THAT(Found(), HasSubstr("entry 1 records an act that is in no thread"));
  Plant(scene_.ThreadOfT(), threads::AccessKey(Entry(2).audit_id.ulid), std::nullopt);
  EXPECT_THAT(Found(), HasSubstr("entry 2 records an act that is in no thread"));
}

TEST_F(AuditFaults, an_act_that_differs_from_its_entry_is_found) {
  protocol::AuditFacts row = Entry(1);
  row.seq = 0;
  row.reason = "another";
  Plant(scene_.ThreadOfT(), threads::ActKey(row.audit_id), storage::Row{1, protocol::Encode(row)});
  EXPECT_THAT(Found(), HasSubstr("entry 1 differs from its thread"));
}

TEST_F(AuditFaults, lists_that_lack_an_entry_or_have_too_many_are_found) {
  const auto entry = Entry(1);
  const auto place = accounts::AuditPlace{entry.at, 1};
  Plant(Chain(), accounts::AuditFacetKey(accounts::AuditFacet::kActor, "ann", place), std::nullopt);
  EXPECT_THAT(Found(), HasSubstr("entry 1 is missing from a list"));
  Plant(Chain(), accounts::AuditFacetKey(accounts::AuditFacet::kActor, "eve", place), storage::Row{1, {}});
  Plant(Chain(), accounts::AuditFacetKey(accounts::AuditFacet::kUser, "eve", place), storage::Row{1, {}});
  EXPECT_THAT(Found(), HasSubstr("its lists have"));
}

TEST_F(AuditFaults, a_chain_truncated_with_its_head_is_found_by_its_acts) {
  for (uint64_t seq = 1; seq <= 4; ++seq) Plant(Chain(), accounts::AuditEntryKey(seq), std::nullopt);
  Plant(Chain(), accounts::AuditHeadKey(), std::nullopt);
  EXPECT_THAT(Found(), HasSubstr("is not in the audit"));
}

// In pieces, as the scrubber reads it.
TEST_F(AuditFaults, a_walk_in_pieces_finds_what_verification_finds) {
  std::vector<std::string> found;
  facts::AuditWalk walk;
  const auto round = [&] {
    found.clear();
    walk = {};
    while (!facts::WalkAudit(*scene_.core.table, scene_.tenant, 3, &walk,
                             [&](const std::string& what) { found.push_back(what); })) {
    }
  };
  round();
  EXPECT_THAT(found, IsEmpty());
  auto entry = Entry(2);
  entry.reason = "another";
  Put(entry, 2);
  round();
  EXPECT_THAT(testing::PrintToString(found), HasSubstr("entry 2 was changed"));
}

}  // namespace
}  // namespace parley::features
