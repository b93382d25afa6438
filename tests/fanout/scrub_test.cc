// Tests the scrubber: it finds rows damaged outside the projections, names their repairs, and reports no
// sound or pending rows.
#include "fanout/verify/scrub.h"

#include <gmock/gmock.h>

#include "fanout/inbox_rows.h"
#include "fanout/keys.h"
#include "fanout/verify/verify.h"
#include "tests/fanout/fanout_scene.h"
#include "tests/threads/cards/card_rows.h"

namespace parley::fanout {
namespace {

using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr int kLooks = 40;  // enough to reach every thread and inbox of the scene

class ScrubTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(scene.Run("buyer thread.create kind=project lbgId=lbg_1 participants=[{\"userId\":\"carol\"}];"
                        "buyer message.send body=a; seller message.send body=b;"
                        "buyer card.create type=CANCEL_REQUEST;"
                        "carol inbox.set label=Later snoozedUntil=2026-01-01T00:00:00.000Z;"
                        "buyer thread.create sellerUserId=dan"),
              "ok");
    scene.worker->SaveCursors();
    ASSERT_THAT(Find(), IsEmpty());
    EXPECT_GT(threads_, 0);
    EXPECT_GT(inboxes_, 0);
  }

  Scrub NewScrub(uint64_t seed, ScrubLimits limits = {}) {
    return Scrub(
        *scene.core.table, scene.core.clock,
        [this] { return scene.worker->watermark(ProjectionId::kInbox).position(); }, seed, limits);
  }
  // Returns all faults found, and puts their repairs into `repairs_`.
  std::vector<std::string> Find(ScrubLimits limits = {}) {
    Scrub scrub = NewScrub(7, limits);
    std::vector<std::string> out;
    repairs_.clear();
    threads_ = inboxes_ = 0;
    for (int i = 0; i < kLooks && out.empty(); ++i) {
      for (auto look : {&Scrub::LookAtThread, &Scrub::LookAtInbox}) {
        Scrub::Look found = (scrub.*look)(kTenant);
        threads_ += found.thread;
        inboxes_ += found.inbox;
        out.insert(out.end(), found.differences.begin(), found.differences.end());
        repairs_.insert(repairs_.end(), found.repairs.begin(), found.repairs.end());
      }
    }
    return out;
  }
  void Repair() {
    for (RepairOrder& order : repairs_) EXPECT_TRUE(scene.worker->Repair(std::move(order)));
    EXPECT_TRUE(scene.worker->repairing());
    scene.Project();
    EXPECT_FALSE(scene.worker->repairing());
  }
  VerifyReport Verify() {
    scene.worker->SaveCursors();
    VerifyReport report;
    EXPECT_TRUE(VerifyStore(
                    *scene.core.table, scene.core.clock.Now(), {},
                    [](const std::string& what) { ADD_FAILURE() << what; }, &report)
                    .ok());
    return report;
  }
  void Plant(const storage::PartitionKey& partition, const storage::SortKey& sort,
             std::optional<std::string> payload) {
    storage::DerivedWrite write{partition, sort, std::nullopt};
    if (payload) write.row = storage::Row{1, *payload};
    storage::Position cursor = 0;
    ASSERT_TRUE(scene.core.table->ReadCursor("inbox", &cursor).ok());
    ASSERT_TRUE(scene.core.table->Apply({&write, 1}, "inbox", cursor).ok());
  }
  ThreadId Thread(const char* name = "T") { return scene.core.ThreadNamed(name); }
  // Returns the first row of a kind in a user's inbox.
  std::pair<storage::SortKey, std::string> RowOf(const char* user, InboxRowKind kind) {
    std::pair<storage::SortKey, std::string> out;
    const auto prefix = storage::KeyWriter().Tag(kind).Sort();
    const auto status = scene.core.table->Scan(
        InboxPartition(kTenant, {user}), storage::SortRange::Prefix(prefix), storage::Direction::kForward, 1,
        [&](std::string_view sort, storage::RowView row) {
          out = {storage::SortKey(std::string(sort)), std::string(row.payload)};
          return true;
        });
    EXPECT_TRUE(status.ok() && !out.first.bytes().empty());
    return out;
  }
  // Expects that planted faults are found, repaired and recorded.
  void ExpectFoundAndRepaired(const char* what) {
    EXPECT_THAT(Find(), Not(IsEmpty())) << what;
    while (!repairs_.empty()) {
      Repair();
      Find();
    }
    const VerifyReport report = Verify();
    EXPECT_THAT(report.repairs, Not(IsEmpty())) << what;
  }

  FanoutScene scene{{}, threads::PortsNamed({"events"})};
  std::vector<RepairOrder> repairs_;
  int threads_ = 0, inboxes_ = 0;
};

TEST_F(ScrubTest, finds_a_missing_entry) {
  Plant(InboxPartition(kTenant, {"seller"}), RowOf("seller", InboxRowKind::kEntry).first, std::nullopt);
  ExpectFoundAndRepaired("entry");
  EXPECT_EQ(scene.Inbox("seller"), "T:1");
}

TEST_F(ScrubTest, finds_an_entry_with_a_wrong_unread_number) {
  auto [sort, payload] = RowOf("carol", InboxRowKind::kEntry);
  InboxRow row;
  protocol::Entry entry;
  ASSERT_TRUE(DecodeInboxRow(payload, &row) && threads::DecodeStored(row.entry, &entry));
  entry.unread += 1;
  Plant(InboxPartition(kTenant, {"carol"}), sort, EncodeInboxRow(entry));
  ExpectFoundAndRepaired("unread");
}

TEST_F(ScrubTest, finds_an_extra_entry) {
  const auto [sort, payload] = RowOf("seller", InboxRowKind::kEntry);
  Plant(InboxPartition(kTenant, {"seller"}), InboxKey(Cell{kArchivedBit}, {scene.core.clock.Now(), Thread()}),
        payload);
  ExpectFoundAndRepaired("an extra entry");
  Plant(InboxPartition(kTenant, {"zoe"}), sort, payload);
  ExpectFoundAndRepaired("an entry of a stranger");
  EXPECT_EQ(scene.Inbox("zoe"), "");
}

TEST_F(ScrubTest, finds_wrong_counts) {
  Plant(InboxPartition(kTenant, {"seller"}), InboxCountsKey(), EncodeCounts({{Cell{kSpamBit}, 3}}));
  ExpectFoundAndRepaired("counts");
  Plant(InboxPartition(kTenant, {"seller"}), InboxCountsKey(), "\xff");
  ExpectFoundAndRepaired("counts that cannot be read");
}

TEST_F(ScrubTest, finds_a_wrong_seat_a_lost_label_and_a_lost_wake) {
  Plant(PlacementPartition(kTenant, Thread()), SeatKey({"seller"}),
        EncodeSeat({Cell{kSpamBit}, 0, 0, std::nullopt}));
  ExpectFoundAndRepaired("seat");
  Plant(InboxPartition(kTenant, {"carol"}), RowOf("carol", InboxRowKind::kLabel).first, std::nullopt);
  ExpectFoundAndRepaired("label");
  Plant(WakePartition(kTenant),
        WakeKey({*protocol::ParseTime("2026-01-01T00:00:00.000Z"),
                 threads::ClockTask::kSnooze,
                 Thread(),
                 {"carol"}}),
        std::nullopt);
  ExpectFoundAndRepaired("wake");
}

TEST_F(ScrubTest, finds_a_row_missing_from_the_project_index_and_an_effect_missing_from_the_feed) {
  const auto head = **scene.core.Rows().Thread(Thread());
  Plant(LbgPartition(kTenant, {"lbg_1"}), ProjectKey(head.item.created_at, Thread()), std::nullopt);
  ExpectFoundAndRepaired("project");
  storage::SortKey effect;
  ASSERT_TRUE(scene.core.table
                  ->Scan(EffectFeedPartition(kTenant), storage::SortRange::All(),
                         storage::Direction::kForward, 1,
                         [&](std::string_view sort, storage::RowView) {
                           effect = storage::SortKey(std::string(sort));
                           return true;
                         })
                  .ok());
  Plant(EffectFeedPartition(kTenant), effect, std::nullopt);
  ExpectFoundAndRepaired("effect");
}

TEST_F(ScrubTest, skips_pending_changes) {
  scene.Do(
      "buyer message.send body=c; seller inbox.set archived=true; buyer participant.remove userId=carol");
  EXPECT_THAT(Find(), IsEmpty());
  EXPECT_GT(threads_, 0) << "the other thread is checked";
  ASSERT_TRUE(scene.worker->Step());
  EXPECT_THAT(Find(), IsEmpty());
}

TEST_F(ScrubTest, skips_facts_that_need_older_messages) {
  for (int i = 0; i < 12; ++i) scene.Run("buyer message.send body=n" + std::to_string(i));
  ScrubLimits limits;
  limits.messages = 5;
  EXPECT_THAT(Find(limits), IsEmpty());
  limits.members = 1;
  EXPECT_THAT(Find(limits), IsEmpty());
}

TEST_F(ScrubTest, reads_a_bounded_part_of_a_large_thread) {
  for (int i = 0; i < 60; ++i) scene.Run("buyer message.send body=n" + std::to_string(i));
  ScrubLimits limits;
  limits.messages = 10;
  limits.thread_rows = 10;
  Scrub scrub = NewScrub(1, limits);
  for (int i = 0; i < kLooks; ++i) EXPECT_LT(scrub.LookAtThread(kTenant).rows, 60u);
}

TEST_F(ScrubTest, skips_a_thread_that_is_set_aside) {
  Plant(threads::ThreadPartition(kTenant, Thread()), threads::ParticipantKey({"carol"}), "\xc1");
  scene.Run("buyer message.send body=c");
  ASSERT_EQ(scene.worker->aside().threads, 1u);
  EXPECT_THAT(Find(), IsEmpty());
}

}  // namespace
}  // namespace parley::fanout
