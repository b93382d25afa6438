// Tasks of the clock: each does the work that the rows still require, and nothing if it runs early, late or
// twice.
#include "threads/clock/clock_tasks.h"

#include <set>

#include "tests/threads/executor_scene.h"
#include "threads/messages/broadcast.h"

namespace parley::threads {
namespace {

constexpr int64_t kDay = 24 * 3'600'000;

class ClockTasks : public testing::Test {
 protected:
  ClockTasks() { scene.Do("buyer thread.create kind=project; seller message.send body=hi"); }

  // Runs one task; returns "ok" or the error, and whether anything was committed.
  bool Changes(ClockTask task, const std::string& user = "") {
    const int before = scene.watched->commits;
    Job job;
    job.tenant = TenantId{"demo"};
    job.thread = scene.ThreadNamed("T");
    job.decide = [this, task, user](Transaction& tx) {
      return RunClockTask(tx, TenantId{"demo"}, task, scene.ThreadNamed("T"), UserId{user.c_str()});
    };
    job.done = [](const Answer& answer) { EXPECT_TRUE(answer.ok()); };
    scene.executor->Submit(std::move(job));
    scene.Step();
    return scene.watched->commits > before;
  }
  ThreadRow Head() { return *scene.Rows().Thread(scene.ThreadNamed("T")).value(); }
  ParticipantRow Member(const char* user) {
    return *scene.Rows().Participant(scene.ThreadNamed("T"), UserId{user}).value();
  }
  ExecutorScene scene;
};

TEST_F(ClockTasks, a_snooze_ends_at_its_time_and_not_before) {
  scene.Do("buyer inbox.set snoozedUntil=2025-11-05T15:00:00.000Z");
  EXPECT_FALSE(Changes(ClockTask::kSnooze, "buyer"));
  scene.clock.Advance(3'600'000);
  EXPECT_FALSE(Changes(ClockTask::kSnooze, "seller"));
  EXPECT_FALSE(Changes(ClockTask::kSnooze, "nobody"));
  EXPECT_TRUE(Changes(ClockTask::kSnooze, "buyer"));
  EXPECT_FALSE(Member("buyer").hidden.snoozed_until.value);
  EXPECT_FALSE(Changes(ClockTask::kSnooze, "buyer"));
}

TEST_F(ClockTasks, a_mute_ends_at_its_time_and_not_before) {
  scene.Do(
      "buyer participant.mute muted=true until=2025-11-05T15:00:00.000Z; seller participant.mute muted=true");
  EXPECT_FALSE(Changes(ClockTask::kMute, "buyer"));
  scene.clock.Advance(3'600'000);
  EXPECT_FALSE(Changes(ClockTask::kMute, "seller")) << "until they take it back";
  EXPECT_FALSE(Changes(ClockTask::kMute, "nobody"));
  EXPECT_TRUE(Changes(ClockTask::kMute, "buyer"));
  EXPECT_FALSE(Member("buyer").hidden.muted);
  EXPECT_FALSE(Member("buyer").hidden.muted_until);
  EXPECT_FALSE(Changes(ClockTask::kMute, "buyer"));
}

TEST_F(ClockTasks, a_prolonged_snooze_continues) {
  scene.Do("buyer inbox.set snoozedUntil=2025-11-05T15:00:00.000Z");
  scene.clock.Advance(1'800'000);
  scene.Do("buyer inbox.set snoozedUntil=2025-11-05T16:00:00.000Z");
  scene.clock.Advance(1'800'000);
  EXPECT_FALSE(Changes(ClockTask::kSnooze, "buyer"));
}

TEST_F(ClockTasks, an_idle_thread_with_many_members_is_archived_in_slices_that_report_the_changed_entries) {
  for (int i = 0; i < 600; ++i) scene.Submit("buyer participant.add userId=u" + std::to_string(1000 + i));
  scene.Step();
  scene.clock.Advance(181 * kDay);
  storage::Position reported = scene.table->LastPosition();
  std::set<UserId> several;
  for (int slice = 1; slice <= 3; ++slice) {
    scene.table->TakeRowsRead();
    EXPECT_TRUE(Changes(ClockTask::kIdle));
    EXPECT_LE(scene.table->TakeRowsRead(), 260u) << "slice " << slice;
    EXPECT_EQ(Head().hidden.idle_after.value.has_value(), slice < 3);
    EXPECT_EQ(Head().hidden.idle_due_at.value->ms, scene.clock.Now().ms + (slice < 3 ? 0 : 180 * kDay));
    ASSERT_TRUE(scene.table
                    ->ReadLog(reported, 10,
                              [&](storage::Position at, std::string_view bytes) {
                                ChangeEntry entry;
                                EXPECT_TRUE(DecodeChangeEntry(bytes, &entry));
                                EXPECT_LE(entry.several.value->items.size(), 256u);
                                several.insert(entry.several.value->items.begin(),
                                               entry.several.value->items.end());
                                reported = at;
                                return true;
                              })
                    .ok());
  }
  EXPECT_EQ(several.size(), 602u);
  for (const char* user : {"buyer", "seller", "u1000", "u1300", "u1599"})
    EXPECT_EQ(Member(user).hidden.archived_at_no, 1) << user;
  EXPECT_FALSE(Changes(ClockTask::kIdle));
}

TEST_F(ClockTasks, a_message_between_two_slices_stops_the_archiving) {
  for (int i = 0; i < 300; ++i) scene.Submit("buyer participant.add userId=u" + std::to_string(1000 + i));
  scene.Step();
  scene.clock.Advance(181 * kDay);
  EXPECT_TRUE(Changes(ClockTask::kIdle));
  EXPECT_TRUE(Head().hidden.idle_after.value);
  scene.Do("buyer message.send body=again");
  EXPECT_TRUE(Changes(ClockTask::kIdle));
  EXPECT_FALSE(Head().hidden.idle_after.value);
  EXPECT_EQ(Head().hidden.idle_due_at.value->ms, scene.clock.Now().ms + 180 * kDay);
  EXPECT_FALSE(Member("u1299").hidden.archived_at_no);
}

TEST_F(ClockTasks, an_idle_thread_is_archived_for_all_members_and_checked_again_later) {
  const auto due = *Head().hidden.idle_due_at.value;
  scene.clock.Advance(180 * kDay - 1);
  EXPECT_FALSE(Changes(ClockTask::kIdle));
  scene.clock.Advance(1);
  EXPECT_TRUE(Changes(ClockTask::kIdle));
  EXPECT_EQ(Member("buyer").hidden.archived_at_no, 1);
  EXPECT_EQ(Member("seller").hidden.archived_at_no, 1);
  EXPECT_EQ(Head().hidden.idle_due_at.value->ms, due.ms + 180 * kDay);
  EXPECT_EQ(Head().item.last_seq, 4) << "it takes no seq";
  EXPECT_FALSE(Changes(ClockTask::kIdle));
}

TEST_F(ClockTasks, a_thread_with_a_new_message_is_checked_again_when_it_has_been_idle_long_enough) {
  scene.clock.Advance(100 * kDay);
  scene.Do("seller message.send body=still");
  const int64_t spoken_ms = scene.clock.Now().ms;
  scene.clock.Advance(80 * kDay);
  EXPECT_TRUE(Changes(ClockTask::kIdle));
  EXPECT_FALSE(Member("buyer").hidden.archived_at_no);
  EXPECT_EQ(Head().hidden.idle_due_at.value->ms, spoken_ms + 180 * kDay);
}

TEST_F(ClockTasks, a_tip_is_not_posted_after_the_meeting) {
  scene.Do("service thread.schedule meetingAt=2025-11-07T14:00:00.000Z firstMeeting=true");
  ASSERT_TRUE(Head().hidden.tip_due_at.value);
  scene.clock.Advance(3 * kDay);
  EXPECT_TRUE(Changes(ClockTask::kTip)) << "it is no longer due";
  EXPECT_EQ(Head().item.last_msg_no, 1);
  EXPECT_FALSE(Changes(ClockTask::kTip));
}

TEST_F(ClockTasks, cancelling_a_meeting_cancels_its_tip) {
  scene.Do("service thread.schedule meetingAt=2025-11-07T14:00:00.000Z firstMeeting=true");
  EXPECT_EQ(scene.Do("service thread.schedule meetingAt=null"), "ok");
  EXPECT_FALSE(Head().item.meeting_at);
  scene.clock.Advance(kDay + 3'600'000);
  EXPECT_FALSE(Changes(ClockTask::kTip));
  EXPECT_EQ(scene.Do("service thread.schedule"), "BAD_REQUEST meetingAt");
  EXPECT_EQ(scene.Do("buyer thread.schedule meetingAt=null"), "FORBIDDEN");
}

TEST_F(ClockTasks, a_task_for_an_unknown_thread_changes_nothing) {
  for (const ClockTask task : {ClockTask::kSnooze, ClockTask::kIdle, ClockTask::kTip}) {
    Job job;
    job.tenant = TenantId{"demo"};
    job.thread = ThreadId{};
    job.decide = [task](Transaction& tx) {
      return RunClockTask(tx, TenantId{"demo"}, task, ThreadId{}, UserId{"x"});
    };
    job.done = [](const Answer& answer) { EXPECT_TRUE(answer.ok()); };
    scene.executor->Submit(std::move(job));
    scene.Step();
  }
}

// --- a broadcast's reservation

TEST_F(ClockTasks, a_broadcast_goes_to_the_reserved_threads_even_if_others_are_found_later) {
  ThreadBroadcastArgs args;
  args.lbg_id = {"lbg_1"};
  args.client_id = {"b1"};
  args.body.value = "hello";
  const Caller buyer = CallerFrom("buyer");
  const auto reserve = [&](Result<std::vector<ThreadId>> found) {
    Answer out = Error(ErrorCode::kInternal, "not run");
    Job job;
    job.tenant = buyer.tenant;
    job.decide = [&](Transaction& tx) { return ReserveBroadcast(tx, buyer, args, found); };
    job.done = [&](Answer answer) { out = std::move(answer); };
    scene.executor->Submit(std::move(job));
    scene.Step();
    return out;
  };
  const Error none(ErrorCode::kNotFound, "none");
  EXPECT_EQ(reserve(none).error().code, ErrorCode::kNotFound) << "and nothing is reserved";
  const std::vector<ThreadId> threads = {scene.ThreadNamed("T")};
  EXPECT_EQ(ReservedThreads(*reserve(threads)), threads);
  scene.Restart();
  EXPECT_EQ(ReservedThreads(*reserve(none)), threads);
  EXPECT_EQ(ReservedThreads(*reserve(std::vector<ThreadId>{ThreadId{}})), threads);
  args.body.value = "other";
  EXPECT_EQ(reserve(threads).error().code, ErrorCode::kIdempotencyConflict);
}

}  // namespace
}  // namespace parley::threads
