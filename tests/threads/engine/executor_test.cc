// The executor's invariants: a command sees earlier decisions of the same batch; an answer based on
// uncommitted state waits for its commit; nothing is visible before the sync.
#include "threads/engine/executor.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/threads/executor_scene.h"
#include "threads/engine/thread_cache.h"

namespace parley::threads {
namespace {

class ExecutorTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(scene.Do("buyer thread.create"), "ok"); }
  // Runs all lines in one batch and returns their answers.
  std::vector<std::string> OneTurn(const std::vector<std::string>& lines) {
    std::vector<size_t> numbers;
    for (const std::string& line : lines) numbers.push_back(scene.Submit(line));
    scene.executor->Step();
    std::vector<std::string> out;
    for (const size_t number : numbers) out.push_back(scene.Text(number));
    return out;
  }
  using Texts = std::vector<std::string>;
  ExecutorScene scene;
};

// --- the overlay

TEST_F(ExecutorTest, a_repeat_within_one_batch_finds_the_first) {
  EXPECT_EQ(OneTurn({"buyer message.send body=x clientId=c", "buyer message.send body=x clientId=c",
                     "buyer message.send body=y clientId=c"}),
            (Texts{"ok", "duplicate", "IDEMPOTENCY_CONFLICT"}));
  EXPECT_EQ(scene.watched->commits, 2) << "the creation, and the turn";
  EXPECT_EQ(scene.Rows().Thread(scene.ThreadNamed("T")).value()->item.last_msg_no, 1);
}

// As the only writer the executor remembers which clientIds were used.
class SoleWriterTest : public ExecutorTest {
 protected:
  SoleWriterTest() { scene.watched->is_sole_writer = true; }
  void Reopen() {
    scene.Restart();
    scene.watched->is_sole_writer = true;
  }
  std::string Send(const std::string& client) {
    return scene.Do("buyer message.send body=x clientId=" + client);
  }
};

TEST_F(SoleWriterTest, a_new_client_id_is_recognized_without_reading_a_row) {
  EXPECT_EQ(Send("c1"), "ok");
  scene.watched->gets = 0;
  EXPECT_EQ(Send("c2"), "ok");
  EXPECT_EQ(scene.watched->gets, 0);
  EXPECT_EQ(Send("c1"), "duplicate");
}

TEST_F(SoleWriterTest, repeats_are_found_in_a_thread_created_before_the_start) {
  EXPECT_EQ(Send("c1"), "ok");
  Reopen();
  EXPECT_EQ(Send("c1"), "duplicate");
  EXPECT_EQ(Send("c2"), "ok");
  EXPECT_EQ(OneTurn({"buyer message.send body=x clientId=c2", "buyer message.send body=x clientId=c3",
                     "buyer message.send body=x clientId=c3", "seller message.send body=x clientId=c3"}),
            (Texts{"duplicate", "ok", "duplicate", "ok"}));
}

TEST_F(SoleWriterTest, repeats_are_found_if_there_are_too_many_to_remember) {
  for (size_t i = 0; i <= RememberedKeys::kReadMost; ++i) ASSERT_EQ(Send("c" + std::to_string(i)), "ok");
  Reopen();
  EXPECT_EQ(Send("c" + std::to_string(RememberedKeys::kReadMost)), "duplicate");
  EXPECT_EQ(Send("new"), "ok");
  EXPECT_EQ(Send("new"), "duplicate");
}

TEST_F(ExecutorTest, a_creation_repeated_within_one_batch_makes_one_thread) {
  scene.changes.clear();
  EXPECT_EQ(OneTurn({"seller thread.create clientId=c role=model",
                     "seller thread.create clientId=c role=model", "buyer thread.create role=model"}),
            (Texts{"ok", "ok", "ALREADY_EXISTS current=v1"}));
  EXPECT_EQ(scene.changes.size(), 1u);
}

TEST_F(ExecutorTest, a_command_sees_earlier_decisions_of_the_same_batch) {
  EXPECT_EQ(
      OneTurn({"buyer participant.add userId=carol", "carol message.send body=x",
               "buyer participant.remove userId=carol", "carol message.send body=y",
               "ann(admin) thread.setStatus status=locked reason=r", "buyer message.send body=z",
               "ann(admin) thread.setStatus status=open reason=r", "buyer message.send body=z",
               "buyer thread.update version=3 city=Rome", "seller thread.update version=3 city=Bonn",
               "service thread.promote legId=G1 eventId=e", "service thread.promote legId=G2 eventId=e"}),
      (Texts{"ok", "ok", "ok", "THREAD_NOT_MEMBER", "ok", "THREAD_LOCKED", "ok", "ok", "ok",
             "VERSION_CONFLICT current=v4", "ok", "ok"}));
  const ThreadRow head = *scene.Rows().Thread(scene.ThreadNamed("T")).value();
  EXPECT_EQ(head.item.leg_id->value, "G1");
  EXPECT_EQ(head.item.last_msg_no, 3) << "the two of members, and the one that tells of the promotion";
}

TEST_F(ExecutorTest, a_message_can_be_edited_read_and_deleted_in_the_batch_that_sent_it) {
  // A twin with the same disk and seed runs one batch ahead and so knows the message's id.
  ExecutorScene twin;
  twin.Do("buyer thread.create; buyer message.send body=x");
  scene.names.Put("M1", twin.names.IdOf("M1"));
  EXPECT_EQ(OneTurn({"buyer message.send body=x", "buyer message.edit messageId=M1 body=y",
                     "buyer message.delete messageId=M1", "seller read.mark messageId=M1"}),
            (Texts{"ok", "ok", "ok", "ok"}));
  EXPECT_EQ(scene.Reply(4, "unread"), "0") << "the deletion in this turn counts";
}

// --- dependent answers wait

TEST_F(ExecutorTest, no_answer_is_given_before_the_commit_returns) {
  scene.ForgetAnswers();
  bool looked = false;
  scene.watched->before_commit = scene.watched->after_commit = [&] {
    looked = true;
    EXPECT_FALSE(scene.AnyAnswer());
  };
  EXPECT_EQ(OneTurn({"buyer message.send body=x clientId=c", "buyer message.send body=x clientId=c",
                     "buyer message.send body=y clientId=c", "dan message.send body=x"}),
            (Texts{"ok", "duplicate", "IDEMPOTENCY_CONFLICT", "THREAD_NOT_MEMBER"}));
  EXPECT_TRUE(looked);
}

TEST_F(ExecutorTest, after_a_failed_commit_every_answer_of_the_batch_is_unavailable) {
  scene.table->InjectFault(storage::MemoryFault::kCommitFails);
  EXPECT_EQ(
      OneTurn({"buyer message.send body=x clientId=c", "buyer message.send body=x clientId=c",
               "buyer message.send body=y clientId=c", "ann(admin) thread.setStatus status=locked reason=r",
               "buyer message.send body=z", "dan message.send body=x"}),
      Texts(6, "UNAVAILABLE"));
}

TEST_F(ExecutorTest, after_a_failed_commit_writes_stop_and_the_fault_gives_the_reason) {
  EXPECT_EQ(scene.executor->fault(), "");
  scene.table->InjectFault(storage::MemoryFault::kCommitFails);
  EXPECT_EQ(OneTurn({"buyer message.send body=x"}), Texts{"UNAVAILABLE"});
  EXPECT_EQ(scene.executor->fault(), "a commit failed (injected)");
  const int commits = scene.watched->commits;
  EXPECT_EQ(OneTurn({"buyer message.send body=y", "buyer inbox.set", "dan message.send body=x"}),
            Texts(3, "UNAVAILABLE"));
  EXPECT_EQ(scene.watched->commits, commits) << "nothing is tried on a store that failed";
}

TEST_F(ExecutorTest, commands_queued_after_a_failed_batch_fail_with_it) {
  ExecutorSettings settings;
  settings.max_batch_commands = 2;
  ExecutorScene small(settings);
  small.Do("buyer thread.create");
  std::vector<size_t> numbers;
  for (const char* body : {"a", "b", "c", "d", "e"})
    numbers.push_back(small.Submit("buyer message.send body=" + std::string(body)));
  small.table->InjectFault(storage::MemoryFault::kCommitFails);
  small.Step();
  for (const size_t number : numbers) EXPECT_EQ(small.Text(number), "UNAVAILABLE");
  EXPECT_EQ(small.executor->queued(), 0u);
}

TEST(ThreadCacheTest, evicts_everything_when_cleared_and_the_least_recently_used_when_full) {
  ThreadCache cache(2, SIZE_MAX);
  const auto partition = [](uint8_t n) {
    return ThreadPartition(TenantId{"demo"}, ThreadId{protocol::Ulid{{n}}});
  };
  cache.At(partition(1)).members = std::make_shared<Members>();
  cache.At(partition(2)).members = std::make_shared<Members>();
  cache.At(partition(1));
  cache.At(partition(3));
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_TRUE(cache.At(partition(1)).members);
  EXPECT_FALSE(cache.At(partition(2)).members) << "it was not used for longest";
  cache.Clear();
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_FALSE(cache.At(partition(1)).members);
}

// --- nothing is visible early

TEST_F(ExecutorTest, nothing_is_visible_before_the_sync) {
  scene.changes.clear();
  const std::string rows = scene.Dump(storage::TableTag::kThreads);
  const storage::Position position = scene.table->LastPosition();
  bool looked = false;
  scene.watched->before_commit = [&] {
    looked = true;
    EXPECT_EQ(scene.Dump(storage::TableTag::kThreads), rows);
    EXPECT_EQ(scene.watched->LastPosition(), position);
  };
  scene.watched->after_commit = [&] { EXPECT_TRUE(scene.changes.empty()); };
  EXPECT_EQ(OneTurn({"buyer message.send body=x", "seller message.send body=y"}), Texts(2, "ok"));
  EXPECT_TRUE(looked);
  EXPECT_EQ(scene.Received(), "T 4 message.created M1 buyer 'x'\nT 5 message.created M2 seller 'y'\n");
  EXPECT_EQ(scene.changes.back()->position, position + 2);
}

TEST_F(ExecutorTest, changes_of_a_failed_batch_are_never_reported) {
  scene.changes.clear();
  scene.table->InjectFault(storage::MemoryFault::kCommitUnknownKept);
  EXPECT_EQ(OneTurn({"buyer message.send body=x"}), Texts{"UNAVAILABLE"});
  EXPECT_EQ(scene.Received(), "");
}

TEST_F(ExecutorTest, changes_are_reported_before_answers) {
  struct Witness final : ChangeSink {
    explicit Witness(ExecutorScene& s) : scene(s) {}
    void OnCommitted(std::vector<CommittedChangePtr>) override {
      received = true;
      EXPECT_FALSE(scene.AnyAnswer());
    }
    ExecutorScene& scene;
    bool received = false;
  } witness(scene);
  scene.ForgetAnswers();
  scene.next_sink = &witness;
  OneTurn({"buyer message.send body=x"});
  EXPECT_TRUE(witness.received);
}

TEST_F(ExecutorTest, a_batch_without_decisions_commits_nothing) {
  const int commits = scene.watched->commits;
  EXPECT_EQ(OneTurn({"dan message.send body=x", "buyer inbox.set", "buyer thread.update version=9 city=x"}),
            (Texts{"THREAD_NOT_MEMBER", "ok", "VERSION_CONFLICT current=v1"}));
  EXPECT_EQ(scene.watched->commits, commits);
}

// --- order and bounds

TEST(ExecutorBounds, commands_are_decided_in_order_over_many_batches) {
  ExecutorSettings settings;
  settings.max_batch_commands = 7;
  settings.max_batch_bytes = 3000;  // a few messages
  ExecutorScene scene(settings);
  scene.Do("buyer thread.create");
  std::vector<size_t> numbers;
  for (int i = 0; i < 100; ++i) {
    const char* who = i % 3 == 0 ? "seller" : "buyer";
    numbers.push_back(scene.Submit(std::string(who) + " message.send body=b" + std::to_string(i)));
  }
  const int commits = scene.watched->commits;
  scene.Step();
  EXPECT_GT(scene.watched->commits, commits + 100 / 7) << "the byte bound ends turns too";
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(scene.Reply(numbers[static_cast<size_t>(i)], "msgNo"), std::to_string(i + 1));
  }
}

// Each batch has a bound of commands and bytes, so a command of another sender is answered within the batches
// that the earlier commands fill. The clock does not move.
TEST(ExecutorBounds, a_command_after_many_is_answered_within_the_batches_they_fill) {
  ExecutorSettings settings;
  settings.max_batch_commands = settings.min_batch_commands = 10;
  ExecutorScene scene(settings);
  scene.Do("buyer thread.create");
  std::vector<size_t> many;
  for (int i = 0; i < 95; ++i) many.push_back(scene.Submit("buyer message.send body=b" + std::to_string(i)));
  const size_t other = scene.Submit("seller read.mark messageId=M1");
  int turns = 0;
  for (size_t answered = 0; scene.Text(other) == "waiting"; ++turns) {
    ASSERT_TRUE(scene.executor->Step());
    const auto waits = [&](size_t number) { return scene.Text(number) == "waiting"; };
    const auto now = many.size() - static_cast<size_t>(std::count_if(many.begin(), many.end(), waits));
    EXPECT_LE(now - answered, 10u);
    answered = now;
  }
  EXPECT_EQ(turns, 10);
}

TEST(ExecutorBounds, a_command_larger_than_a_batch_gets_its_own_batch) {
  ExecutorSettings settings;
  settings.max_batch_bytes = 1;
  ExecutorScene scene(settings);
  EXPECT_EQ(scene.Do("buyer thread.create; buyer message.send body=x; buyer message.send body=y"), "ok");
}

TEST(ExecutorBounds, each_batch_reports_its_times_and_the_commands_left) {
  ExecutorSettings settings;
  settings.max_batch_bytes = 1;
  ExecutorScene scene(settings);
  scene.Do("buyer thread.create");
  for (const char* id : {"a", "b", "c"})
    scene.Submit("buyer message.send body=x clientId=" + std::string(id));
  while (scene.executor->queued() > 0) scene.Step();
  const std::string text = scene.metrics->Render();
  for (const char* part : {"batch_wait", "batch_decide", "commit"})
    EXPECT_NE(text.find("\nparley_" + std::string(part) + "_seconds_count 4\n"), std::string::npos) << text;
}

TEST(ExecutorBounds, a_full_queue_refuses_at_once_with_a_time_to_retry) {
  ExecutorSettings settings;
  settings.max_queued = 3;
  ExecutorScene scene(settings);
  std::vector<size_t> numbers;
  for (int i = 0; i < 4; ++i)
    numbers.push_back(scene.Submit("buyer thread.create role=r" + std::to_string(i)));
  EXPECT_EQ(scene.executor->queued(), 3u);
  EXPECT_EQ(scene.Text(numbers[3]), "UNAVAILABLE");
  EXPECT_EQ(scene.ErrorOf(numbers[3]).retry_after_ms, 1000);
  EXPECT_EQ(scene.Text(numbers[2]), "waiting");
  scene.Step();
  EXPECT_EQ(scene.Text(numbers[2]), "ok");
  EXPECT_EQ(scene.Do("buyer thread.create"), "ok");
}

TEST_F(ExecutorTest, a_failed_read_fails_only_its_command) {
  scene.Restart();  // empties the cache
  scene.watched->reads_fail = true;
  EXPECT_EQ(OneTurn({"buyer message.send body=x"}), Texts{"UNAVAILABLE"});
  EXPECT_EQ(scene.executor->fault(), "");
  scene.watched->reads_fail = false;
  EXPECT_EQ(OneTurn({"buyer message.send body=x"}), Texts{"ok"});
}

TEST_F(ExecutorTest, a_second_writer_in_a_threads_partition_stops_writes) {
  storage::CommitRequest foreign;
  foreign.partition = ThreadPartition(TenantId{"demo"}, scene.ThreadNamed("T"));
  foreign.writes.push_back({LogKey(4), storage::Row{1, "x"}});
  std::vector<storage::CommitResult> results;
  ASSERT_TRUE(scene.table->Commit({&foreign, 1}, &results).ok());
  scene.changes.clear();
  EXPECT_EQ(OneTurn({"buyer message.send body=x"}), Texts{"UNAVAILABLE"});
  EXPECT_EQ(scene.executor->fault(), "another writer changed a thread's partition");
  EXPECT_EQ(scene.Received(), "");
  EXPECT_EQ(OneTurn({"buyer thread.create"}), Texts{"UNAVAILABLE"});
}

// The second change replaced the row of the first seq, because both concern one item.
TEST_F(ExecutorTest, a_second_writer_is_detected_even_without_a_row_of_its_seq) {
  const auto partition = ThreadPartition(TenantId{"demo"}, scene.ThreadNamed("T"));
  ThreadRow head = *scene.Rows().Thread(scene.ThreadNamed("T")).value();
  storage::CommitRequest foreign;
  foreign.partition = partition;
  head.item.last_seq += 2;
  foreign.writes.push_back({ThreadKey(), storage::Row{head.row_version + 2, EncodeItem(head)}});
  foreign.writes.push_back({LogKey(head.item.last_seq), storage::Row{1, "x"}});
  std::vector<storage::CommitResult> results;
  ASSERT_TRUE(scene.table->Commit({&foreign, 1}, &results).ok());
  EXPECT_EQ(OneTurn({"buyer message.send body=x"}), Texts{"UNAVAILABLE"});
  EXPECT_EQ(scene.executor->fault(), "another writer changed a thread's partition");
}

TEST(ExecutorThreads, commands_from_many_threads_are_all_answered_before_the_executor_stops) {
  ExecutorScene scene;
  scene.Do("buyer thread.create");
  std::vector<Job> jobs;
  std::atomic<int> answered = 0;
  for (int i = 0; i < 400; ++i) {
    jobs.push_back(JobFrom(CallFrom("buyer message.send body=b" + std::to_string(i), scene.names)));
    jobs.back().done = [&](const Answer& answer) { answered += answer.ok(); };
  }
  std::thread runner([&] { scene.executor->Run(); });
  std::vector<std::thread> senders;
  for (size_t part = 0; part < 4; ++part) {
    senders.emplace_back([&, part] {
      for (size_t i = part * 100; i < part * 100 + 100; ++i) scene.executor->Submit(std::move(jobs[i]));
    });
  }
  for (std::thread& sender : senders) sender.join();
  scene.executor->Stop();
  runner.join();
  EXPECT_EQ(answered, 400);
  EXPECT_EQ(scene.Rows().Thread(scene.ThreadNamed("T")).value()->item.last_msg_no, 400);
}

}  // namespace
}  // namespace parley::threads
