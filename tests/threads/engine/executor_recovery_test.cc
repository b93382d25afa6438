// The rows on disk after many commands, restarts and commits of unknown outcome.
#include <gtest/gtest.h>

#include "tests/threads/executor_scene.h"
#include "tests/threads/random_commands.h"
#include "threads/model/message_row.h"

namespace parley::threads {
namespace {

// Each item has one LOG# row, at the seq of its last change, and the newest change has one; msgNos have no
// gaps; the head agrees.
void ExpectSound(const ExecutorScene& scene, const std::string& name) {
  const RowReader rows = scene.Rows();
  const ThreadId thread = scene.ThreadNamed(name);
  const ThreadRow head = *rows.Thread(thread).value();
  const auto partition = ThreadPartition(TenantId{"demo"}, thread);
  int64_t seq = 0, msg_no = 0, newest_change = 0;
  MessageId last_id;
  protocol::Time last_at{0};
  auto status = rows.raw().Scan(partition, RangeOf(storage::ThreadTag::kLog), storage::Direction::kForward,
                                SIZE_MAX, [&](std::string_view sort, storage::RowView row) {
                                  int64_t at = 0;
                                  LogRow log;
                                  EXPECT_TRUE(ParseLogKey(sort, &at) && DecodeLog(row.payload, &log));
                                  EXPECT_GT(at, seq);
                                  seq = at;
                                  std::optional<storage::Row> item;
                                  ItemView view;
                                  EXPECT_TRUE(rows.raw().Get(partition, log.sort, &item).ok() && item &&
                                              ParseItem(item->payload, &view));
                                  EXPECT_EQ(view.seq, at) << "a row that a later change made stale";
                                  return true;
                                });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(head.item.last_seq, seq);
  status = rows.raw().Scan(partition, RangeOf(storage::ThreadTag::kMessage), storage::Direction::kForward,
                           SIZE_MAX, [&](std::string_view, storage::RowView row) {
                             MessageRow message;
                             EXPECT_TRUE(DecodeItem(row.payload, &message));
                             EXPECT_EQ(message.item.msg_no, ++msg_no) << "key order is the order of numbers";
                             EXPECT_LT(last_id, message.item.message_id);
                             EXPECT_LE(last_at, message.item.created_at);
                             EXPECT_EQ(message.item.created_at, message.item.message_id.ulid.time());
                             newest_change = std::max(newest_change, message.item.seq);
                             last_id = message.item.message_id;
                             last_at = message.item.created_at;
                             return true;
                           });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(head.item.last_msg_no, msg_no);
  EXPECT_LE(newest_change, seq);
  EXPECT_EQ(head.item.participant_count, static_cast<int64_t>(rows.MemberIds(thread).value().size()));
  EXPECT_EQ(head.hidden.deleted_count, static_cast<int64_t>(rows.UncountedAbove(thread, 0).value().size()));
}

// Checks that the changes of each thread were reported once each and in order.
void ExpectHeardInOrder(const ExecutorScene& scene) {
  std::map<ThreadId, int64_t> last;
  storage::Position position = 0;
  for (const CommittedChangePtr& change : scene.changes) {
    EXPECT_GT(change->position, position);
    position = change->position;
    for (const SharedChange& event : change->events) EXPECT_EQ(event.seq, ++last[change->thread]);
  }
}

class RecoveryTest : public testing::TestWithParam<uint64_t> {};

TEST_P(RecoveryTest, numbers_have_no_gaps_for_any_commands_in_batches_of_any_size) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  ExecutorScene scene;
  scene.Do("buyer thread.create; buyer thread.create; buyer thread.create kind=group with=seller,carol");
  RandomCommands commands(scene.names, GetParam());
  for (int turn = 0; turn < 150; ++turn) {
    for (size_t n = commands.Below(8); n-- > 0;) scene.Submit(commands.Next());
    if (commands.Below(5) == 0) scene.clock.SetBack(static_cast<int64_t>(commands.Below(50)));
    scene.clock.Advance(static_cast<int64_t>(commands.Below(20)));
    scene.Step();
    if (commands.Below(20) == 0) scene.Restart();
  }
  for (const char* name : {"T", "T2", "T3"}) ExpectSound(scene, name);
  ExpectHeardInOrder(scene);
  EXPECT_GT(scene.changes.size(), 100u);
}

TEST_P(RecoveryTest, the_cache_does_not_change_any_result) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  struct Outcome {
    std::string answers, rows;
  };
  const auto run = [&](size_t cached, bool restarts) {
    ExecutorSettings settings;
    settings.max_cached_threads = cached;
    ExecutorScene scene(settings);
    scene.Do("buyer thread.create; buyer thread.create; buyer thread.create kind=group with=seller,carol");
    RandomCommands commands(scene.names, GetParam());
    std::string answers;
    for (int turn = 0; turn < 60; ++turn) {
      std::vector<size_t> numbers;
      for (int n = 0; n < 6; ++n) numbers.push_back(scene.Submit(commands.Next()));
      scene.Step();
      for (const size_t number : numbers) answers += scene.Text(number) + "\n";
      if (restarts && turn % 7 == 0) scene.Restart();
    }
    return Outcome{answers, scene.Dump(storage::TableTag::kThreads)};
  };
  const Outcome usual = run(20'000, false), cramped = run(1, false), restarted = run(20'000, true);
  EXPECT_EQ(cramped.answers, usual.answers);
  EXPECT_EQ(cramped.rows, usual.rows);
  EXPECT_EQ(restarted.answers, usual.answers);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RecoveryTest, testing::Range(uint64_t{1}, uint64_t{9}));

TEST(Recovery, numbers_continue_after_a_restart) {
  ExecutorScene scene;
  scene.Do("buyer thread.create clientId=t; buyer message.send body=x; seller message.send body=y");
  scene.Restart();
  EXPECT_EQ(scene.Do("buyer message.send body=z"), "ok");
  ExpectSound(scene, "T");
  ExpectHeardInOrder(scene);
  EXPECT_EQ(scene.Do("buyer message.send body=x"), "duplicate");
  EXPECT_EQ(scene.Do("buyer thread.create clientId=t"), "ok");
  EXPECT_EQ(scene.Reply(5, "thread.threadId"), "T");
}

// After a commit of unknown outcome the client has no answer; its retry finds out.
TEST(Recovery, a_retry_after_an_unknown_outcome_is_a_duplicate_if_it_was_written) {
  ExecutorScene scene;
  scene.Do("buyer thread.create");
  scene.table->InjectFault(storage::MemoryFault::kCommitUnknownKept);
  EXPECT_EQ(scene.Do("buyer message.send body=x"), "UNAVAILABLE");
  EXPECT_EQ(scene.executor->fault(), "the outcome of a commit is unknown (injected)");
  scene.Restart();
  EXPECT_EQ(scene.executor->fault(), "");
  EXPECT_EQ(scene.Do("buyer message.send body=x"), "duplicate");
  EXPECT_EQ(scene.Reply(2, "msgNo"), "1");
  EXPECT_EQ(scene.Do("buyer message.send body=y"), "ok");
  EXPECT_EQ(scene.Reply(3, "msgNo"), "2");
  ExpectSound(scene, "T");
}

TEST(Recovery, a_retry_after_an_unknown_outcome_is_accepted_if_it_was_lost) {
  ExecutorScene scene;
  scene.Do("buyer thread.create");
  scene.table->InjectFault(storage::MemoryFault::kCommitUnknownLost);
  EXPECT_EQ(scene.Do("buyer message.send body=x"), "UNAVAILABLE");
  scene.Restart();
  EXPECT_EQ(scene.Do("buyer message.send body=x"), "ok");
  EXPECT_EQ(scene.Reply(2, "msgNo"), "1");
  ExpectSound(scene, "T");
}

TEST(Recovery, an_unknown_creation_is_completed_or_answered_by_its_retry) {
  for (const auto fault :
       {storage::MemoryFault::kCommitUnknownKept, storage::MemoryFault::kCommitUnknownLost}) {
    ExecutorScene scene;
    scene.table->InjectFault(fault);
    EXPECT_EQ(scene.Do("buyer thread.create clientId=c role=model"), "UNAVAILABLE");
    scene.Restart();
    EXPECT_EQ(scene.Do("buyer thread.create clientId=c role=model"), "ok");
    const std::string thread = scene.Reply(1, "thread.threadId");
    EXPECT_EQ(scene.Do("buyer thread.create clientId=c role=model"), "ok");
    EXPECT_EQ(scene.Reply(2, "thread.threadId"), thread);
    EXPECT_EQ(scene.Do("buyer thread.create role=model"), "ALREADY_EXISTS current=v1");
  }
}

// A command on two partitions was cut between them: only the reservation reached the disk.
TEST(Recovery, a_reservation_without_its_thread_is_completed_by_the_retry) {
  ExecutorScene scene;
  scene.Do("buyer thread.create clientId=c");
  ReservationRow reservation =
      *scene.Rows()
           .Reservation(UserPartition(TenantId{"demo"}, UserId{"buyer"}), CreateKey(protocol::ClientId{"c"}))
           .value();
  ExecutorScene torn;
  storage::CommitRequest request;
  request.partition = UserPartition(TenantId{"demo"}, UserId{"buyer"});
  request.writes.push_back(
      {CreateKey(protocol::ClientId{"c"}), storage::Row{1, EncodeReservation(reservation)}});
  std::vector<storage::CommitResult> results;
  ASSERT_TRUE(torn.table->Commit({&request, 1}, &results).ok());
  EXPECT_EQ(torn.Do("buyer thread.create clientId=c"), "ok");
  EXPECT_EQ(torn.names.IdOf("T"), reservation.thread.ToText());
  EXPECT_EQ(torn.Do("buyer thread.create clientId=c"), "ok");
  EXPECT_EQ(torn.changes.size(), 1u);
}

}  // namespace
}  // namespace parley::threads
