// Rows with a limited retention are removed in slices, at a cost in proportion to the removed rows.
#include "threads/engine/forget.h"

#include "tests/threads/executor_scene.h"
#include "threads/clock/clock_tasks.h"
#include "threads/judge/judge_rows.h"
#include "threads/lifecycle/changes.h"
#include "threads/model/retention.h"

namespace parley::threads {
namespace {

using storage::ThreadTag;

class Forgetting : public testing::Test {
 protected:
  Forgetting() { scene.Do("buyer thread.create kind=project; seller message.send body=hi"); }

  // Runs one slice; returns the start of the next one.
  std::string Slice(const std::string& from) {
    std::string next;
    Job job;
    job.tenant = TenantId{"demo"};
    job.thread = scene.ThreadNamed("T");
    job.decide = [this, from](Transaction& tx) {
      return RunClockTask(tx, TenantId{"demo"}, ClockTask::kForget, scene.ThreadNamed("T"), {}, from);
    };
    job.done = [&](const Answer& answer) {
      ASSERT_TRUE(answer.ok());
      next = *answer;
    };
    scene.executor->Submit(std::move(job));
    scene.Step();
    return next;
  }
  // Removes everything that is due, like the sweeper; returns the number of slices.
  size_t Forget() {
    size_t slices = 1;
    for (std::string from = Slice({}); !from.empty(); from = Slice(from)) ++slices;
    return slices;
  }
  size_t Rows(ThreadTag tag) {
    size_t count = 0;
    EXPECT_TRUE(scene.table
                    ->Scan(ThreadPartition(TenantId{"demo"}, scene.ThreadNamed("T")), RangeOf(tag),
                           storage::Direction::kForward, SIZE_MAX,
                           [&](std::string_view, storage::RowView) { return ++count > 0; })
                    .ok());
    return count;
  }
  ThreadRow Head() { return *scene.Rows().Thread(scene.ThreadNamed("T")).value(); }
  // Sends so many messages at once, with different clientIds.
  void Send(int count) {
    for (int i = 0; i < count; ++i) {
      scene.Submit("buyer message.send body=x clientId=n-" + std::to_string(++sent_));
      if (i % 500 == 499) scene.Step();
    }
    scene.Step();
    scene.changes.clear();
    scene.ForgetAnswers();
  }
  ExecutorScene scene;
  int sent_ = 0;
};

TEST_F(Forgetting, answers_are_removed_only_when_repeats_no_longer_get_them) {
  ASSERT_EQ(Rows(ThreadTag::kIdempotency), 1u);
  scene.clock.Advance(kIdempotencyTtlMs + kAnswerRound.every_ms - 1000);
  scene.Do("buyer message.send body=later clientId=c-later");
  const int before = scene.watched->commits;
  EXPECT_EQ(Forget(), 1u);
  EXPECT_EQ(scene.watched->commits, before) << "it is not time";
  scene.clock.Advance(1000);
  Forget();
  EXPECT_EQ(Rows(ThreadTag::kIdempotency), 1u);
  EXPECT_EQ(scene.Do("buyer message.send body=later clientId=c-later"), "duplicate");
  EXPECT_EQ(Head().hidden.forget_due_at.value->ms, scene.clock.Now().ms + kAnswerRound.every_ms);
  scene.clock.Advance(kIdempotencyTtlMs);
  Forget();
  EXPECT_EQ(Rows(ThreadTag::kIdempotency), 0u);
  scene.clock.Advance(kAnswerRound.every_ms);
  Forget();
  EXPECT_FALSE(Head().hidden.forget_due_at.value) << "a round that finds none is the last";
  scene.Do("buyer message.send body=again");
  EXPECT_TRUE(Head().hidden.forget_due_at.value) << "and so on";
}

TEST_F(Forgetting, a_slice_is_small_and_other_commands_run_between_two) {
  Send(900);
  scene.clock.Advance(kIdempotencyTtlMs + kAnswerRound.every_ms);
  scene.watched->scanned = 0;
  std::string from = Slice({});
  EXPECT_LE(scene.watched->scanned, kSliceRows + 1);
  EXPECT_EQ(Rows(ThreadTag::kIdempotency), 901 - kSliceRows);
  EXPECT_EQ(scene.Do("buyer message.send body=between clientId=between"), "ok");
  scene.Restart();  // an interrupted round starts over
  EXPECT_EQ(Forget(), 4u);
  EXPECT_EQ(Rows(ThreadTag::kIdempotency), 1u);
  EXPECT_EQ(scene.Do("buyer message.send body=between clientId=between"), "duplicate");
}

TEST_F(Forgetting, the_rows_read_are_in_proportion_to_the_rows_removed_at_any_age_of_the_thread) {
  size_t forgotten = 0, read = 0;
  for (int tick = 0; tick < 10 * 24 * 4; ++tick) {  // ten days, in quarters of an hour
    Send(7);
    scene.clock.Advance(kHourMs / 4);
    if (*Head().hidden.forget_due_at.value > scene.clock.Now()) continue;
    const size_t before = Rows(ThreadTag::kIdempotency);
    scene.watched->scanned = 0;
    Forget();
    read += scene.watched->scanned;
    forgotten += before - Rows(ThreadTag::kIdempotency);
  }
  // Each row is read in every round of its life; the last round removes it.
  EXPECT_GT(forgotten, 4900u);
  const size_t kept = Rows(ThreadTag::kIdempotency);
  EXPECT_LT(kept, 7 * 4 * 61u);
  EXPECT_LE(read, 6 * (forgotten + kept));
}

TEST_F(Forgetting, a_slice_that_removes_nothing_writes_nothing) {
  Send(500);
  scene.clock.Advance(kIdempotencyTtlMs + kAnswerRound.every_ms);
  Forget();
  Send(500);
  scene.clock.Advance(kAnswerRound.every_ms);
  const int before = scene.watched->commits;
  EXPECT_EQ(Forget(), 3u);
  EXPECT_EQ(scene.watched->commits, before + 1) << "when the next round is due";
  EXPECT_EQ(Rows(ThreadTag::kIdempotency), 500u);
}

TEST_F(Forgetting, the_executor_remembers_the_remaining_client_ids_again) {
  scene.watched->is_sole_writer = true;
  Send(300);
  scene.Restart();
  scene.watched->is_sole_writer = true;
  scene.Do("buyer message.send body=x");  // 301 were too many to remember
  scene.watched->gets = 0;
  scene.Do("buyer message.send body=x clientId=unknown-1");
  EXPECT_EQ(scene.watched->gets, 1);
  scene.clock.Advance(kIdempotencyTtlMs + kAnswerRound.every_ms);
  Forget();
  scene.Do("buyer message.send body=x clientId=unknown-2");
  scene.watched->gets = 0;
  EXPECT_EQ(scene.Do("buyer message.send body=x clientId=unknown-3"), "ok");
  EXPECT_EQ(scene.watched->gets, 0);
  EXPECT_EQ(scene.Do("buyer message.send body=x clientId=unknown-2"), "duplicate");
  EXPECT_EQ(scene.Do("buyer message.send body=x clientId=n-7"), "ok") << "it was forgotten";
}

// --- LOG# and removed members

TEST_F(Forgetting, the_last_ten_thousand_changes_of_the_log_stay) {
  Send(kKeptChanges + kChangesSweptTogether - 10);
  EXPECT_FALSE(Head().hidden.log_due_at.value);
  Send(10);
  ASSERT_TRUE(Head().hidden.log_due_at.value);
  const int64_t last = Head().item.last_seq;
  EXPECT_GE(Forget(), (last - kKeptChanges) / static_cast<int64_t>(kSliceRows));
  EXPECT_EQ(Rows(ThreadTag::kLog), static_cast<size_t>(kKeptChanges));
  const ThreadRow head = Head();
  EXPECT_EQ(head.hidden.log_swept.value, last - kKeptChanges);
  EXPECT_FALSE(head.hidden.log_due_at.value);
  EXPECT_TRUE(IsBeyondLog(head, last - kKeptChanges - 1));
  EXPECT_FALSE(IsBeyondLog(head, last - kKeptChanges));
  EXPECT_TRUE(IsSwept(head, last - kKeptChanges - 1));
  EXPECT_FALSE(IsSwept(head, last - kKeptChanges));
  const auto page = ReadChanges(scene.Rows(), CallerFrom("buyer"), scene.ThreadNamed("T"),
                                last - kKeptChanges, SIZE_MAX, SIZE_MAX);
  EXPECT_EQ(page->changes.size(), static_cast<size_t>(kKeptChanges));
  EXPECT_EQ(scene.Do("buyer message.send body=x"), "ok") << "the next seq is guarded as before";
  EXPECT_EQ(Head().item.last_seq, last + 1);
}

TEST_F(Forgetting, a_removed_member_s_row_is_removed_with_the_change_that_removed_them) {
  scene.Do(
      "buyer participant.add userId=gone; buyer participant.add userId=back; buyer participant.add "
      "userId=here");
  scene.Do("buyer participant.remove userId=gone; buyer participant.remove userId=back");
  scene.Do("buyer participant.add userId=back");
  const auto row = [&](const char* user) {
    return scene.Rows().Participant(scene.ThreadNamed("T"), UserId{user}).value();
  };
  ASSERT_TRUE(row("gone"));
  Send(kKeptChanges + kChangesSweptTogether);
  Forget();
  EXPECT_FALSE(row("gone"));
  EXPECT_TRUE(row("back")->active());
  EXPECT_TRUE(row("here")->active());
  EXPECT_EQ(scene.Do("buyer participant.remove userId=gone"), "NOT_FOUND") << "nothing of them is cached";
  EXPECT_EQ(scene.Do("buyer participant.add userId=gone"), "ok");
  EXPECT_EQ(row("gone")->hidden.join_no, Head().item.last_msg_no) << "they start afresh";
}

// --- HIST# and EVT#

TEST_F(Forgetting, texts_before_an_edit_are_kept_half_a_year) {
  scene.Do("seller message.edit messageId=M1 body=b; sam(support) thread.setStatus status=locked reason=r");
  ASSERT_EQ(Rows(ThreadTag::kHistory), 2u);
  scene.clock.Advance(kHistoryRound.keep_ms - 1);
  Forget();
  EXPECT_EQ(Rows(ThreadTag::kHistory), 2u);
  scene.clock.Advance(kHistoryRound.every_ms + 1);
  Forget();
  EXPECT_EQ(Rows(ThreadTag::kHistory), 1u) << "why a thread was locked stays";
  scene.clock.Advance(kHistoryRound.every_ms);
  Forget();
  EXPECT_FALSE(Head().hidden.history_due_at.value) << "and is no reason to come again";
}

// The text that the policy redacted is stored beside the message and removed with the history of its edits.
TEST_F(Forgetting, originals_of_redacted_bodies_are_kept_half_a_year) {
  Job job;
  job.tenant = TenantId{"demo"};
  job.thread = scene.ThreadNamed("T");
  job.decide = [this](Transaction& tx) -> Result<Decision> {
    PARLEY_TRY(head, tx.Thread(TenantId{"demo"}, scene.ThreadNamed("T")));
    Draft draft(*head, tx.moment().now);
    for (int i = 0; i < 300; ++i) {  // more than a slice
      const MessageId message{tx.moment().ids->Make(tx.moment().now)};
      draft.Write(OriginalKey(message, 1), "sealed");
    }
    draft.WillAge(kHistoryRound);
    return draft.Finish({});
  };
  job.done = [](const Answer& answer) { ASSERT_TRUE(answer.ok()); };
  scene.executor->Submit(std::move(job));
  scene.Step();
  scene.Do("seller message.edit messageId=M1 body=b");
  ASSERT_EQ(Rows(ThreadTag::kOriginal), 300u);
  scene.clock.Advance(kHistoryRound.keep_ms - 1);
  Forget();
  EXPECT_EQ(Rows(ThreadTag::kOriginal), 300u);
  scene.clock.Advance(kHistoryRound.every_ms + 1);
  EXPECT_GE(Forget(), 3u) << "in slices";
  EXPECT_EQ(Rows(ThreadTag::kOriginal), 0u);
  EXPECT_EQ(Rows(ThreadTag::kHistory), 0u);
  scene.clock.Advance(kHistoryRound.every_ms);
  Forget();
  EXPECT_FALSE(Head().hidden.history_due_at.value);
}

TEST_F(Forgetting, outside_events_are_remembered_for_a_quarter_of_a_year) {
  const std::string promote = "service thread.promote lbgId=lbg_1 eventId=evt_1";
  scene.Do(promote);
  ASSERT_EQ(Rows(ThreadTag::kExternalEvent), 1u);
  scene.clock.Advance(kEventRound.keep_ms);
  Forget();
  scene.Do("service thread.promote lbgId=lbg_2 eventId=evt_2");
  scene.Do(promote);
  EXPECT_EQ(Head().item.lbg_id->value, "lbg_2") << "its replay changes nothing";
  scene.clock.Advance(kEventRound.every_ms);
  Forget();
  EXPECT_EQ(Rows(ThreadTag::kExternalEvent), 1u);
  scene.Do("service thread.promote lbgId=lbg_2 eventId=evt_3");  // changes nothing but is remembered
  scene.clock.Advance(kEventRound.keep_ms + kEventRound.every_ms);
  Forget();
  EXPECT_EQ(Rows(ThreadTag::kExternalEvent), 0u);
}

TEST_F(Forgetting, undated_rows_of_earlier_versions_are_removed_in_the_first_round) {
  const auto partition = ThreadPartition(TenantId{"demo"}, scene.ThreadNamed("T"));
  storage::CommitRequest old;
  old.partition = partition;
  old.writes.push_back({ExternalEventKey(ClientId{"evt_old"}), storage::Row{1, {}}});
  std::vector<storage::CommitResult> results;
  ASSERT_TRUE(scene.table->Commit({&old, 1}, &results).ok());
  scene.Do("service thread.promote lbgId=lbg_1 eventId=evt_1");
  scene.clock.Advance(kEventRound.keep_ms + kEventRound.every_ms - 1);
  Forget();
  EXPECT_EQ(Rows(ThreadTag::kExternalEvent), 2u);
  scene.clock.Advance(1);
  Forget();
  EXPECT_EQ(Rows(ThreadTag::kExternalEvent), 0u);
}

TEST_F(Forgetting, the_number_of_edits_of_a_message_is_bounded) {
  for (int64_t i = 0; i < kMaxEdits; ++i)
    ASSERT_EQ(scene.Do("seller message.edit messageId=M1 body=b" + std::to_string(i)), "ok");
  EXPECT_EQ(scene.Do("seller message.edit messageId=M1 body=more"), "FORBIDDEN");
  EXPECT_EQ(Rows(ThreadTag::kHistory), static_cast<size_t>(kMaxEdits));
  EXPECT_EQ(scene.Do("sam(support) message.edit messageId=M1 body=staff reason=r"), "ok");
  EXPECT_EQ(scene.Do("seller message.delete messageId=M1"), "ok") << "it can always be taken back";
}

}  // namespace
}  // namespace parley::threads
