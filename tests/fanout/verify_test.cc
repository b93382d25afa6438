// Tests that verify reports planted faults, and none in a sound store.
#include "fanout/verify/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fanout/card_projection.h"
#include "fanout/inbox_projection.h"
#include "fanout/project_projection.h"
#include "fanout/worker.h"
#include "storage/forwarding_table.h"
#include "storage/memory_table.h"
#include "threads/cards/delete_message.h"
#include "threads/engine/executor.h"
#include "threads/inbox/own_row.h"
#include "threads/lifecycle/create_thread.h"
#include "threads/messages/change_message.h"
#include "threads/messages/mark_message.h"
#include "threads/messages/send_message.h"
#include "threads/run/write_op.h"

namespace parley::fanout {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class FixedClock final : public protocol::Clock {
 public:
  protocol::Time Now() const override { return {1'762'351'927'123}; }
  int64_t MonotonicMs() const override { return 0; }
};

struct StoredRow {
  storage::PartitionKey partition;
  storage::SortKey sort;
  std::string payload;
};

// A small sound store: a project thread with alice and bob, and three messages by alice, the second deleted,
// the first read by bob.
class VerifyTest : public testing::Test, threads::ChangeSink, threads::AnswerSink, NoticeSink {
 protected:
  void SetUp() override {
    worker_.Add(std::make_unique<InboxProjection>([](const TenantId&, const UserId&) { return false; }));
    worker_.Add(std::make_unique<ProjectProjection>());
    worker_.Add(std::make_unique<CardProjection>());
    ASSERT_TRUE(worker_.Open().ok());
    protocol::ThreadCreate::Args create;
    create.kind = protocol::ThreadKind::kProject;
    create.buyer_user_id = alice_;
    create.seller_user_id = bob_;
    create.lbg_id = protocol::LbgId{"lbg_1"};
    create.first_message = protocol::Body{"one"};
    Do<threads::CreateThread>(alice_, create);
    thread_ = *threads::ThreadOfPartition(Rows(storage::TableTag::kThreads).front().partition);
    Send("two");
    Send("three");
    protocol::MessageDelete::Args remove;
    remove.thread_id = thread_;
    remove.message_id = Messages()[1].item.message_id;
    Do<threads::DeleteMessage>(alice_, remove);
    protocol::ReadMark::Args mark;
    mark.thread_id = thread_;
    mark.message_id = Messages()[0].item.message_id;
    Do<threads::MarkRead>(bob_, mark);
    while (worker_.Step()) {
    }
    worker_.SaveCursors();
    ASSERT_THAT(Verify(), IsEmpty());
  }

  template <class Command>
  void Do(const UserId& user, const typename Command::Op::Args& args) {
    const threads::Caller caller{tenant_, user, threads::Role::kMember};
    threads::Job job;
    job.tenant = tenant_;
    if constexpr (requires { args.thread_id; }) job.thread = args.thread_id;
    job.decide = [caller, args](threads::Transaction& tx) { return threads::Run<Command>(tx, caller, args); };
    job.done = [](threads::Answer answer) { ASSERT_TRUE(answer.ok()) << answer.error().message; };
    executor_.Submit(std::move(job));
    executor_.Step();
  }
  void Send(const std::string& body) {
    protocol::MessageSend::Args send;
    send.thread_id = thread_;
    send.client_id = protocol::ClientId{body.c_str()};
    send.body.value = body;
    Do<threads::SendMessage>(alice_, send);
  }

  void Label(const std::string& label) {
    protocol::InboxSet::Args set;
    set.thread_id = thread_;
    set.label.present = true;
    set.label.value = protocol::KeyableText<64>{label.c_str()};
    Do<threads::SetInboxFlags>(bob_, set);
    while (worker_.Step()) {
    }
    worker_.SaveCursors();
  }
  protocol::Time LastAt() { return Messages().back().item.created_at; }

  std::vector<StoredRow> Rows(storage::TableTag table) {
    std::vector<StoredRow> out;
    const auto status =
        table_->ScanAll(table, [&](const auto& partition, const auto& sort, storage::RowView row) {
          out.push_back({partition, sort, std::string(row.payload)});
          return true;
        });
    EXPECT_TRUE(status.ok());
    return out;
  }
  std::vector<threads::MessageRow> Messages() {
    std::vector<threads::MessageRow> out;
    for (const StoredRow& row : Rows(storage::TableTag::kThreads)) {
      protocol::MessageId id;
      if (!threads::ParseMessageKey(row.sort.bytes(), &id)) continue;
      EXPECT_TRUE(threads::DecodeItem(row.payload, &out.emplace_back()));
    }
    return out;
  }
  StoredRow InboxRowOf(const UserId& user) {
    for (StoredRow& row : Rows(storage::TableTag::kInboxIndex)) {
      if (row.partition == InboxPartition(tenant_, user) && row.sort != InboxCountsKey()) return row;
    }
    ADD_FAILURE() << "no row";
    return {};
  }

  std::vector<std::string> Verify(size_t pending = 0) {
    std::vector<std::string> out;
    VerifyReport report;
    const auto differs = [&](const std::string& what) { out.push_back(what); };
    EXPECT_TRUE(VerifyStore(*table_, clock_.Now(), {}, differs, &report).ok());
    EXPECT_EQ(report.differences, out.size());
    EXPECT_EQ(report.pending, pending);
    return out;
  }
  // Writes a row as no command could.
  void Plant(const storage::PartitionKey& partition, const storage::SortKey& sort,
             std::optional<std::string> payload) {
    storage::DerivedWrite write{partition, sort, std::nullopt};
    if (payload) write.row = storage::Row{1, *payload};
    storage::Position cursor = 0;
    ASSERT_TRUE(table_->ReadCursor("inbox", &cursor).ok());
    ASSERT_TRUE(table_->Apply({&write, 1}, "inbox", cursor).ok());
  }
  void PlantMessage(const threads::MessageRow& row) {
    Plant(Partition(), threads::MessageKey(row.item.message_id), threads::EncodeItem(row));
  }
  storage::PartitionKey Partition() const { return threads::ThreadPartition(tenant_, thread_); }

  void OnCommitted(std::vector<threads::CommittedChangePtr>) override {}
  void OnAnswers(std::vector<threads::Finished> finished) override {
    for (auto& one : finished) one.done(std::move(one.answer));
  }
  void OnEntries(std::vector<EntryNotice>, storage::Position) override {}

  const TenantId tenant_{"t1"};
  const UserId alice_{"usr_alice"}, bob_{"usr_bob"};
  FixedClock clock_;
  const std::unique_ptr<storage::MemoryTable> table_ = storage::NewMemoryTable();
  const std::unique_ptr<protocol::IdSource> ids_ = protocol::NewSeededIdSource(1);
  protocol::Metrics metrics_;
  threads::Executor executor_{*table_, clock_, *ids_, {}, *this, *this, metrics_};
  Worker worker_{*table_, {}, *this, metrics_};
  ThreadId thread_;
};

TEST_F(VerifyTest, finds_a_change_that_is_not_in_the_log) {
  Plant(Partition(), threads::LogKey(3), std::nullopt);
  EXPECT_THAT(Verify(), Contains(HasSubstr("an item with seq 3 is in no LOG#")));
}

TEST_F(VerifyTest, finds_a_row_of_the_log_whose_item_changed_again) {
  Plant(Partition(), threads::LogKey(1),
        threads::EncodeLog({protocol::EventKind::kThreadCreated, clock_.Now(),
                            threads::MessageKey(Messages()[0].item.message_id)}));
  EXPECT_THAT(Verify(), Contains(HasSubstr("LOG#1 was not removed when its item changed again")));
}

// Plants a thread as an earlier version wrote it.
TEST_F(VerifyTest, a_thread_of_an_earlier_version_has_a_row_for_every_change) {
  threads::ThreadRow head = *threads::RowReader(*table_, tenant_).Thread(thread_).value();
  head.hidden.lean_from = {};
  Plant(Partition(), threads::ThreadKey(), threads::EncodeItem(head));
  Plant(Partition(), threads::LogKey(1), std::nullopt);  // removed already if the head changed since
  EXPECT_THAT(Verify(), Contains(HasSubstr("hole in seq: LOG#1 is missing")));
  Plant(Partition(), threads::LogKey(1),
        threads::EncodeLog({protocol::EventKind::kThreadCreated, clock_.Now(), threads::ThreadKey()}));
  EXPECT_THAT(Verify(), testing::Not(Contains(HasSubstr("LOG#1"))));
}

TEST_F(VerifyTest, finds_wrong_reaction_counts) {
  protocol::MessageReact::Args react;
  react.thread_id = thread_;
  react.message_id = Messages()[0].item.message_id;
  react.emoji = protocol::Text<64>{"👍"};
  react.on = true;
  Do<threads::ReactToMessage>(alice_, react);
  while (worker_.Step()) {
  }
  worker_.SaveCursors();
  ASSERT_THAT(Verify(), IsEmpty());
  Plant(Partition(), threads::ReactionKey(react.message_id, "👍", bob_), "");
  EXPECT_THAT(Verify(), Contains(HasSubstr("reaction 👍: counts 1 users, but has 2")));
  Plant(Partition(), threads::ReactionKey(react.message_id, "👍", bob_), std::nullopt);
  Plant(Partition(), threads::ReactionKey(react.message_id, "👍", alice_), "");
  EXPECT_THAT(Verify(), Contains(HasSubstr("usr_alice is listed and has a REACT# row")));
  Plant(Partition(), threads::ReactionKey(react.message_id, "👍", alice_), std::nullopt);
  Plant(Partition(), threads::ReactionKey(react.message_id, "🎉", bob_), "");
  EXPECT_THAT(Verify(), Contains(HasSubstr("has REACT# rows of 🎉, but no such reaction")));
  Plant(Partition(), threads::ReactionKey(react.message_id, "🎉", bob_), std::nullopt);
  threads::MessageRow row = Messages()[0];
  row.item.reactions.items[0].count.value = 2;
  PlantMessage(row);
  EXPECT_THAT(Verify(), Contains(HasSubstr("reaction 👍: counts 2 users, but has 1")));
}

TEST_F(VerifyTest, finds_a_missing_message) {
  Plant(Partition(), threads::MessageKey(Messages()[2].item.message_id), std::nullopt);
  EXPECT_THAT(Verify(), Contains(HasSubstr("names a row that does not exist")));
}

TEST_F(VerifyTest, finds_rows_that_no_sweep_removes) {
  threads::ThreadRow head = *threads::RowReader(*table_, tenant_).Thread(thread_).value();
  head.hidden.forget_due_at = {};
  head.hidden.history_due_at = {};
  Plant(Partition(), threads::ThreadKey(), threads::EncodeItem(head));
  const auto found = Verify();
  EXPECT_THAT(found, Contains(HasSubstr("2 IDEM# rows are never removed")));
  EXPECT_THAT(found, Contains(HasSubstr("1 HIST# or ORIG# rows are never removed")));
}

TEST_F(VerifyTest, finds_rows_not_swept_and_rows_swept_too_early) {
  threads::ThreadRow head = *threads::RowReader(*table_, tenant_).Thread(thread_).value();
  head.hidden.log_swept.value = 2;
  Plant(Partition(), threads::ThreadKey(), threads::EncodeItem(head));
  const auto found = Verify();
  EXPECT_THAT(found, Contains(HasSubstr("LOG#2 should have been swept")));
  EXPECT_THAT(found, Contains(HasSubstr("LOG# was swept too far")));
}

TEST_F(VerifyTest, finds_a_due_row_of_a_missing_reservation) {
  Plant(threads::DuePartition(tenant_),
        threads::DueKey({1}, alice_, threads::CreateKey(protocol::ClientId{"c"})), std::string(16, 'd'));
  EXPECT_THAT(Verify(), Contains(HasSubstr("names no reservation")));
}

TEST_F(VerifyTest, finds_a_hole_in_msg_no) {
  threads::MessageRow row = Messages()[2];
  row.item.msg_no = 7;
  PlantMessage(row);
  EXPECT_THAT(Verify(), Contains(HasSubstr("hole in msgNo")));
}

TEST_F(VerifyTest, finds_a_message_stored_twice) {
  threads::MessageRow row = Messages()[2];
  row.item.message_id = protocol::MessageId{row.item.message_id.ulid.Next()};
  PlantMessage(row);
  EXPECT_THAT(Verify(), Contains(HasSubstr("sent twice, clientId three")));
}

TEST_F(VerifyTest, finds_a_wrong_unread_number) {
  const StoredRow stored = InboxRowOf(bob_);
  InboxRow row;
  protocol::Document document;
  protocol::Entry entry;
  ASSERT_TRUE(DecodeInboxRow(stored.payload, &row));
  ASSERT_EQ(protocol::DecodeMsgpack(std::string(row.entry), {}, &document), nullptr);
  ASSERT_TRUE(protocol::Bind(document.root, &entry).ok());
  ASSERT_EQ(entry.unread, 1);
  entry.unread = 2;
  Plant(stored.partition, stored.sort, EncodeInboxRow(entry));
  EXPECT_THAT(Verify(), Contains(HasSubstr("inbox of usr_bob: unread is 2, but should be 1")));
}

TEST_F(VerifyTest, finds_a_missing_inbox_row) {
  const StoredRow stored = InboxRowOf(bob_);
  Plant(stored.partition, stored.sort, std::nullopt);
  EXPECT_THAT(Verify(), Contains(HasSubstr("inbox of usr_bob: the row is missing")));
}

TEST_F(VerifyTest, finds_an_extra_inbox_row) {
  const StoredRow stored = InboxRowOf(bob_);
  Plant(stored.partition, InboxKey({kUnreadBit | kProjectBit}, {{1'762'351'000'000}, thread_}),
        stored.payload);
  EXPECT_THAT(Verify(), Contains(HasSubstr("inbox of usr_bob: an extra row")));
}

TEST_F(VerifyTest, finds_an_inbox_row_of_a_non_member) {
  const StoredRow stored = InboxRowOf(bob_);
  Plant(InboxPartition(tenant_, {"usr_eve"}), stored.sort, stored.payload);
  EXPECT_THAT(Verify(), Contains(HasSubstr("inbox of usr_eve: an extra row")));
}

TEST_F(VerifyTest, finds_an_inbox_row_in_a_wrong_cell) {
  const StoredRow stored = InboxRowOf(bob_);
  Plant(stored.partition, InboxKey({kUnreadBit | kProjectBit | kPinnedBit}, {LastAt(), thread_}),
        stored.payload);
  EXPECT_THAT(Verify(), Contains(HasSubstr("inbox of usr_bob: an extra row")));
}

TEST_F(VerifyTest, finds_a_read_entry_listed_as_unread_too) {
  const StoredRow stored = InboxRowOf(alice_);
  Plant(stored.partition, InboxKey({kUnreadBit | kProjectBit}, {LastAt(), thread_}), stored.payload);
  EXPECT_THAT(Verify(), Contains(HasSubstr("inbox of usr_alice: more rows than threads")));
}

TEST_F(VerifyTest, finds_wrong_counts_and_missing_ones) {
  Plant(InboxPartition(tenant_, bob_), InboxCountsKey(), EncodeCounts({{Cell{kUnreadBit | kProjectBit}, 2}}));
  EXPECT_THAT(Verify(), Contains(HasSubstr("inbox of usr_bob: the counts differ from the rows")));
  Plant(InboxPartition(tenant_, bob_), InboxCountsKey(), std::nullopt);
  EXPECT_THAT(Verify(), Contains(HasSubstr("inbox of usr_bob: the counts differ from the rows")));
}

TEST_F(VerifyTest, finds_a_missing_an_extra_and_a_wrong_row_of_a_label) {
  Label("Later");
  ASSERT_THAT(Verify(), IsEmpty());
  const Cell cell{kUnreadBit | kProjectBit};
  const auto inbox = InboxPartition(tenant_, bob_);
  Plant(inbox, LabelKey("Other", cell, {LastAt(), thread_}), InboxRowOf(bob_).payload);
  EXPECT_THAT(Verify(), Contains(HasSubstr("inbox of usr_bob: an extra row")));
  Plant(inbox, LabelKey("Other", cell, {LastAt(), thread_}), std::nullopt);
  Plant(inbox, LabelKey("Later", cell, {LastAt(), thread_}), "x");
  EXPECT_THAT(Verify(), Contains(HasSubstr("inbox of usr_bob: the row of its label differs")));
  Plant(inbox, LabelKey("Later", cell, {LastAt(), thread_}), std::nullopt);
  EXPECT_THAT(Verify(), Contains(HasSubstr("inbox of usr_bob: the row of its label is missing")));
}

TEST_F(VerifyTest, finds_a_missing_a_wrong_and_an_extra_seat) {
  const auto placement = PlacementPartition(tenant_, thread_);
  Plant(placement, SeatKey(bob_), EncodeSeat({}));
  EXPECT_THAT(Verify(), Contains(HasSubstr("inbox of usr_bob: the seat differs")));
  Plant(placement, SeatKey(bob_), std::nullopt);
  EXPECT_THAT(Verify(), Contains(HasSubstr("inbox of usr_bob: the seat is missing")));
  Plant(placement, SeatKey({"usr_eve"}), EncodeSeat({}));
  EXPECT_THAT(Verify(), Contains(HasSubstr("inbox of usr_eve: an extra seat")));
}

TEST_F(VerifyTest, finds_a_missing_and_an_extra_wake) {
  const StoredRow stored = Rows(storage::TableTag::kWake).front();
  Plant(stored.partition, stored.sort, std::nullopt);
  EXPECT_THAT(Verify(), Contains(HasSubstr("its wake at ")));
  Plant(stored.partition, stored.sort, "");
  Plant(stored.partition, WakeKey({{1'800'000'000'000}, threads::ClockTask::kSnooze, thread_, bob_}), "");
  EXPECT_THAT(Verify(), Contains(HasSubstr("an extra wake")));
}

TEST_F(VerifyTest, finds_a_missing_and_an_extra_project_row) {
  const StoredRow stored = Rows(storage::TableTag::kProjectIndex).front();
  Plant(stored.partition, stored.sort, std::nullopt);
  Plant(LegPartition(tenant_, {"leg_9"}), stored.sort, "");
  EXPECT_THAT(Verify(), Contains(HasSubstr("the LBG row is missing")));
  EXPECT_THAT(Verify(), Contains(HasSubstr("LEG#leg_9: an extra row")));
}

TEST_F(VerifyTest, finds_a_missing_mark_of_a_deleted_message) {
  Plant(Partition(), threads::DeletedBlockKey(0), std::nullopt);
  EXPECT_THAT(Verify(), Contains(HasSubstr("rows do not match the uncounted messages")));
}

TEST_F(VerifyTest, accepts_a_mark_of_an_earlier_version) {
  Plant(Partition(), threads::DeletedBlockKey(0), std::nullopt);
  Plant(Partition(), threads::DeletedKey(2), "");
  EXPECT_THAT(Verify(), ElementsAre(HasSubstr("DEL# rows remain beside DELS#")));
  Plant(Partition(), threads::DeletedBlockKey(threads::kAllFolded), std::nullopt);
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(VerifyTest, counts_a_thread_as_pending_while_its_projections_lag) {
  Send("late");
  EXPECT_THAT(Verify(1), IsEmpty());
}

// Runs the projections between any two reads, as on a running server.
class MovingTable final : public storage::ForwardingTable {
 public:
  MovingTable(storage::Table* under, std::function<void()> meanwhile)
      : ForwardingTable(under), meanwhile_(std::move(meanwhile)) {}
  storage::Snapshot NewSnapshot() const override {
    storage::Snapshot out = ForwardingTable::NewSnapshot();
    meanwhile_();
    return out;
  }
  storage::Status ReadCursor(std::string_view projection, storage::Position* out) const override {
    auto status = ForwardingTable::ReadCursor(projection, out);
    if (projection == "cards") meanwhile_();
    return status;
  }

 private:
  const std::function<void()> meanwhile_;
};

TEST_F(VerifyTest, ignores_projections_that_progress_while_it_runs) {
  Send("late");
  const MovingTable moving(table_.get(), [&] { worker_.Step(); });
  std::vector<std::string> out;
  VerifyReport report;
  const auto differs = [&](const std::string& what) { out.push_back(what); };
  EXPECT_TRUE(VerifyStore(moving, clock_.Now(), {}, differs, &report).ok());
  EXPECT_THAT(out, IsEmpty());
}

}  // namespace
}  // namespace parley::fanout
