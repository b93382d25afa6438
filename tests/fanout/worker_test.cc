// Tests the worker: cursors, passes, lag, trimming, and waiters.
#include "fanout/worker.h"

#include <future>
#include <thread>

#include "fanout/inbox_projection.h"
#include "tests/fanout/fanout_scene.h"
#include "tests/fanout/naive_index.h"
#include "tests/threads/cards/card_rows.h"
#include "threads/clock/clock_tasks.h"

namespace parley::fanout {
namespace {

double Inbox(FanoutScene& scene, const std::string& metric) {
  return MetricValue(*scene.core.metrics, "parley_projection_" + metric + "{projection=\"inbox\"}");
}
storage::Position CursorOf(FanoutScene& scene, std::string_view projection) {
  storage::Position cursor = 0;
  EXPECT_TRUE(scene.core.table->ReadCursor(projection, &cursor).ok());
  return cursor;
}
storage::Position FirstKept(FanoutScene& scene) {
  storage::Position first = 0;
  const auto status = scene.core.table->ReadLog(0, 1, [&](storage::Position position, std::string_view) {
    first = position;
    return true;
  });
  EXPECT_TRUE(status.ok());
  return first;
}
std::string Sends(int from, int count) {
  std::string out;
  for (int i = from; i < from + count; ++i) out += "buyer message.send body=b" + std::to_string(i) + ";";
  return out;
}
WorkerSettings Passes(size_t entries) {
  WorkerSettings settings;
  settings.pass_entries = entries;
  return settings;
}

// --- lag

TEST(WorkerLag, is_the_number_of_unread_log_entries) {
  FanoutScene scene(Passes(1));
  EXPECT_EQ(Inbox(scene, "lag"), 0) << "an empty log is caught up with";
  EXPECT_FALSE(scene.worker->Step());
  scene.Do("buyer thread.create");
  EXPECT_EQ(Inbox(scene, "lag"), 1) << "one entry counts as one";
  EXPECT_TRUE(scene.worker->Step());
  EXPECT_EQ(Inbox(scene, "lag"), 0);
  scene.Do(Sends(0, 3));
  for (int left = 3; left > 0; --left) {
    EXPECT_EQ(Inbox(scene, "lag"), left);
    EXPECT_TRUE(scene.worker->Step());
  }
  EXPECT_EQ(Inbox(scene, "lag"), 0);
  EXPECT_FALSE(scene.worker->Step());
  scene.Do("dan message.send body=x");
  EXPECT_EQ(Inbox(scene, "lag"), 0) << "a rejected command has no entry";
}

TEST(WorkerLag, continues_from_the_saved_cursor_after_a_restart) {
  FanoutScene scene(Passes(2));
  scene.Do("buyer thread.create;" + Sends(0, 4));
  scene.worker->Step();
  EXPECT_EQ(Inbox(scene, "lag"), 3);
  scene.Restart();
  EXPECT_EQ(Inbox(scene, "lag"), 3);
  scene.Project();
  EXPECT_EQ(Inbox(scene, "lag"), 0);
  ExpectExactIndexes(*scene.core.table);
}

// --- coalescing

TEST(WorkerPass, a_hot_thread_moves_its_rows_once) {
  FanoutScene scene({}, 0, /*piece_rows=*/100);
  scene.Do("buyer thread.create; buyer participant.add userId=carol");
  scene.Project();
  const double rows = Inbox(scene, "rows_total"), threads = Inbox(scene, "threads_total");
  for (int i = 0; i < 300; ++i) {
    scene.core.clock.Advance(1);
    scene.core.Submit("buyer message.send body=b" + std::to_string(i));
    if (i % 50 == 0) scene.core.Step();
  }
  scene.core.Step();
  EXPECT_TRUE(scene.worker->Step());
  EXPECT_FALSE(scene.worker->Step());
  EXPECT_EQ(Inbox(scene, "threads_total") - threads, 1);
  EXPECT_EQ(Inbox(scene, "rows_total") - rows, 3 * 2 + 2 * 2 + 2)
      << "each member's entry, deleted and written; seat and counts of the two with unread messages; the "
         "placement, and the wake to remove the sender's answers";
  EXPECT_EQ(scene.Inbox("carol"), "T:300");
}

TEST(WorkerPass, a_personal_change_writes_the_row_of_its_user_only) {
  FanoutScene scene;
  scene.Run("buyer thread.create; buyer participant.add userId=carol; buyer message.send body=x");
  const double rows = Inbox(scene, "rows_total");
  scene.Run("carol inbox.set pinned=true");
  EXPECT_EQ(Inbox(scene, "rows_total") - rows, 2 + 2)
      << "the entry, deleted and written, the seat and the counts";
  ExpectExactIndexes(*scene.core.table);
}

TEST(WorkerPass, an_acknowledged_effect_moves_no_row_of_any_inbox) {
  FanoutScene scene({}, threads::PortsNamed({"events"}));
  scene.Run("buyer thread.create kind=project; buyer card.create type=CANCEL_REQUEST");
  scene.worker->SaveCursors();
  const double rows = Inbox(scene, "rows_total"), entries = Inbox(scene, "entries_total");
  const std::string id = scene.names.IdOf("M1") + ".5";
  EXPECT_EQ(scene.Run("service outbox.ack effectIds=[\"" + id + "\"]"), "ok");
  EXPECT_EQ(Inbox(scene, "entries_total") - entries, 1) << "it is in the log";
  EXPECT_EQ(Inbox(scene, "rows_total"), rows);
  ExpectExactIndexes(*scene.core.table);
}

TEST(WorkerPass, adding_or_removing_an_effect_writes_two_rows_however_many_wait) {
  FanoutScene scene({}, threads::PortsNamed({"events"}));
  scene.Run("buyer thread.create kind=project");
  for (int i = 0; i < 20; ++i) scene.Run("buyer card.create type=CANCEL_REQUEST");
  const auto rows = [&] {
    return MetricValue(*scene.core.metrics, "parley_projection_rows_total{projection=\"cards\"}");
  };
  EXPECT_EQ(rows(), 2 * 20);
  scene.Run("buyer card.create type=CANCEL_REQUEST");
  EXPECT_EQ(rows(), 2 * 21);
  EXPECT_EQ(scene.Run("service outbox.ack effectIds=[\"" + scene.names.IdOf("M7") + ".17\"]"), "ok");
  EXPECT_EQ(rows(), 2 * 22);
  ExpectExactIndexes(*scene.core.table);
}

TEST(WorkerPass, a_change_of_wakes_alone_moves_no_entry) {
  FanoutScene scene;
  scene.Run("buyer thread.create");
  const int64_t period_ms = threads::SizeLimits().idle_archive_ms;
  scene.core.clock.Advance(period_ms - 1000);
  scene.Run("buyer message.send body=x");
  scene.core.clock.Advance(2000);
  const double rows = Inbox(scene, "rows_total");
  threads::Job job;
  job.tenant = TenantId{"demo"};
  job.thread = scene.core.ThreadNamed("T");
  job.decide = [tenant = job.tenant, thread = *job.thread](threads::Transaction& tx) {
    return threads::RunClockTask(tx, tenant, threads::ClockTask::kIdle, thread, {});
  };
  job.done = [](const threads::Answer& answer) { EXPECT_TRUE(answer.ok()); };
  scene.core.executor->Submit(std::move(job));
  scene.Settle();
  EXPECT_EQ(Inbox(scene, "rows_total") - rows, 3) << "the wake, deleted and written, and the placement";
  scene.Run("seller message.send body=y");
  ExpectExactIndexes(*scene.core.table);
}

TEST(WorkerPass, restarts_with_fewer_entries_if_it_would_write_too_many_rows) {
  WorkerSettings settings;
  settings.pass_rows = 20;
  FanoutScene scene(settings);
  std::string lines;
  for (int i = 0; i < 16; ++i) lines += "buyer thread.create clientId=c" + std::to_string(i) + ";";
  scene.Do(lines);
  scene.Project();
  EXPECT_GT(MetricValue(*scene.core.metrics, "parley_projection_pass_entries_count{projection=\"inbox\"}"),
            4);
  EXPECT_EQ(Inbox(scene, "entries_total"), 16) << "a restarted pass counts its entries once";
  EXPECT_EQ(Inbox(scene, "lag"), 0);
  ExpectExactIndexes(*scene.core.table);
}

// A pass of many threads writes a bounded number of rows and leaves the rest to the next pass, so the number
// of passes for which a caller waits is known.
TEST(WorkerPass, a_step_writes_a_bounded_number_of_rows_and_catches_up_in_as_many_steps_as_needed) {
  WorkerSettings settings = Passes(8);
  settings.pass_rows = 40;
  FanoutScene scene(settings);
  std::string lines;
  for (int i = 0; i < 64; ++i) lines += "buyer thread.create clientId=c" + std::to_string(i) + ";";
  scene.Do(lines);
  int steps = 0;
  double rows = Inbox(scene, "rows_total");
  while (Inbox(scene, "lag") > 0 || steps == 0) {
    ASSERT_TRUE(scene.worker->Step());
    EXPECT_LE(Inbox(scene, "rows_total") - rows, 40);
    rows = Inbox(scene, "rows_total");
    ASSERT_LT(++steps, 64);
  }
  EXPECT_GE(steps, 64 / 8);
  ExpectExactIndexes(*scene.core.table);
}

// After a crash between two pieces, each member's row is at one of two places. The repeated pass brings them
// together, although the thread has moved since.
TEST(WorkerPass, a_crash_between_the_pieces_of_a_large_thread_neither_loses_nor_doubles_a_row) {
  size_t pieces = 1;
  for (size_t kept = 0; kept <= pieces; ++kept) {
    SCOPED_TRACE("applies kept: " + std::to_string(kept));
    FanoutScene scene;
    scene.Do("buyer thread.create; buyer participant.add userId=carol; buyer participant.add userId=dan; " +
             Sends(0, 1));
    scene.Project();
    scene.core.clock.Advance(1000);
    scene.Do(Sends(1, 1));
    scene.worker->Step();
    pieces = scene.core.table->UnsyncedApplies();
    ASSERT_GT(pieces, 3u) << "several pieces before the one with the cursor";
    scene.Crash(kept);
    scene.core.clock.Advance(1000);
    scene.Do("carol read.mark messageId=M1; " + Sends(2, 1));
    scene.Project();
    ExpectExactIndexes(*scene.core.table);
    EXPECT_EQ(scene.Inbox("dan"), "T:3");
  }
}

// --- cursors, crashes, trimming

TEST(WorkerCursor, a_crash_reverts_rows_and_cursor_together) {
  FanoutScene scene;
  scene.Do("buyer thread.create");
  scene.Project();
  EXPECT_EQ(CursorOf(scene, "inbox"), 1u);
  EXPECT_EQ(scene.Inbox("buyer"), "T:0");
  scene.Crash(0);
  EXPECT_EQ(CursorOf(scene, "inbox"), 0u);
  EXPECT_TRUE(StoredInboxRows(*scene.core.table).empty());
  scene.Project();
  EXPECT_EQ(CursorOf(scene, "inbox"), 1u);
  EXPECT_EQ(scene.Inbox("buyer"), "T:0");
}

TEST(WorkerCursor, a_restart_between_two_passes_continues_where_the_rows_are) {
  for (int steps = 0; steps <= 12; ++steps) {
    FanoutScene scene(Passes(1));
    scene.Do("buyer thread.create; seller message.send body=a; buyer participant.add userId=carol");
    scene.Do(
        "carol inbox.set archived=true; seller message.send body=b; buyer participant.remove userId=carol");
    scene.Do("service thread.promote legId=G1 lbgId=L1 eventId=e; buyer read.mark messageId=M1");
    for (int i = 0; i < steps; ++i) scene.worker->Step();
    scene.Restart();
    scene.Project();
    ExpectExactIndexes(*scene.core.table);
  }
}

TEST(WorkerCursor, replaying_from_any_earlier_cursor_changes_nothing) {
  FanoutScene scene;
  scene.Do("buyer thread.create; seller message.send body=a; buyer participant.add userId=carol");
  scene.Do(
      "carol inbox.set archived=true; buyer inbox.set pinned=true archived=true; seller message.send body=b");
  scene.Do("buyer participant.remove userId=carol; service thread.promote legId=G1 eventId=e");
  scene.Do(
      "buyer inbox.set archived=true; buyer inbox.set archived=false; buyer participant.add userId=carol");
  scene.Do("service thread.promote legId=G2 lbgId=L1 eventId=f; seller message.delete messageId=M2");
  scene.Project();
  ExpectExactIndexes(*scene.core.table);
  const std::string inbox = scene.core.Dump(storage::TableTag::kInboxIndex);
  const std::string projects = scene.core.Dump(storage::TableTag::kProjectIndex);
  const storage::Position last = scene.core.table->LastPosition();
  for (storage::Position from = 0; from < last; ++from) {
    for (const std::string_view projection : {"inbox", "project"})
      ASSERT_TRUE(scene.core.table->Apply({}, projection, from).ok());
    scene.Restart();
    scene.Project();
    EXPECT_EQ(scene.core.Dump(storage::TableTag::kInboxIndex), inbox) << "from " << from;
    EXPECT_EQ(scene.core.Dump(storage::TableTag::kProjectIndex), projects) << "from " << from;
  }
}

TEST(WorkerTrim, the_log_is_kept_as_long_as_a_saved_cursor_may_need_it) {
  WorkerSettings settings = Passes(3);
  settings.save_cursor_every = 10;  // the project index writes little, so its cursor lags on disk
  settings.trim_every = 1;
  FanoutScene scene(settings);
  scene.Do("buyer thread.create");
  bool trimmed = false, lagged = false;
  for (int i = 0; i < 40; ++i) {
    scene.Do(Sends(i, 1));
    scene.worker->Step();
    const storage::Position first = FirstKept(scene);
    for (const std::string_view projection : {"inbox", "project"})
      EXPECT_LE(first, CursorOf(scene, projection) + 1) << projection << " may need a trimmed entry";
    trimmed |= first > 1;
    lagged |= CursorOf(scene, "project") < CursorOf(scene, "inbox");
  }
  EXPECT_TRUE(trimmed);
  EXPECT_TRUE(lagged);
  scene.Crash(0);
  scene.Project();
  ExpectExactIndexes(*scene.core.table);
}

TEST(WorkerTrim, the_newest_entry_stays_so_that_positions_continue) {
  WorkerSettings settings;
  settings.trim_every = settings.save_cursor_every = 1;
  FanoutScene scene(settings);
  scene.Run("buyer thread.create;" + Sends(0, 20));
  const storage::Position last = scene.core.table->LastPosition();
  EXPECT_EQ(FirstKept(scene), last);
  scene.Restart();
  EXPECT_EQ(scene.core.table->LastPosition(), last);
  scene.Run(Sends(20, 1));
  EXPECT_EQ(scene.core.table->LastPosition(), last + 1);
  EXPECT_EQ(scene.Inbox("seller"), "T:21");
}

// --- faults

TEST(WorkerFault, an_unreadable_log_entry_stops_the_projection_and_is_reported) {
  FanoutScene scene;
  scene.Do("buyer thread.create");
  storage::CommitRequest broken;
  broken.partition = threads::ThreadPartition(TenantId{"demo"}, ThreadId{});
  broken.log_entry = "not an entry";
  std::vector<storage::CommitResult> results;
  ASSERT_TRUE(scene.core.table->Commit({&broken, 1}, &results).ok());
  EXPECT_FALSE(scene.worker->Step());
  EXPECT_EQ(scene.worker->fault(), "inbox: a change-log entry cannot be read");
  EXPECT_EQ(scene.worker->watermark(ProjectionId::kInbox).position(), 0u);
  EXPECT_TRUE(scene.notices.empty());
}

TEST(WorkerFault, a_failed_apply_sends_no_notice_ends_waits_and_is_done_after_a_restart) {
  FanoutScene scene;
  scene.Run("buyer thread.create");
  Listener& buyer = scene.Listen("buyer");
  scene.Do("seller message.send body=x");
  scene.core.table->InjectFault(storage::MemoryFault::kCommitFails);
  scene.Do("seller message.send body=y");
  const size_t notices = scene.notices.size();
  scene.Project();
  EXPECT_EQ(scene.worker->fault(), "inbox: a commit failed (injected)");
  EXPECT_EQ(scene.worker->watermark(ProjectionId::kInbox).position(), 1u);
  EXPECT_EQ(scene.notices.size(), notices);
  EXPECT_EQ(Inbox(scene, "lag"), 1);
  scene.Hangup(buyer);
  scene.Restart();
  EXPECT_EQ(scene.worker->fault(), "");
  scene.Project();
  EXPECT_EQ(scene.Inbox("buyer"), "T:1");
}

// --- watermark

TEST(WatermarkTest, calls_each_waiter_once_when_its_position_is_reached) {
  Watermark mark;
  std::string called;
  mark.WhenAt(0, [&] { called += "0"; });
  EXPECT_EQ(called, "0") << "reached already";
  mark.WhenAt(3, [&] { called += "c"; });
  mark.WhenAt(2, [&] { called += "b"; });
  mark.WhenAt(3, [&] { called += "d"; });
  mark.Advance(1);
  EXPECT_EQ(called, "0");
  mark.Advance(2);
  EXPECT_EQ(called, "0b");
  mark.Advance(5);
  EXPECT_EQ(called, "0bcd");
  mark.Advance(9);
  mark.WhenAt(9, [&] { called += "9"; });
  EXPECT_EQ(called, "0bcd9");
  mark.Advance(4);
  EXPECT_EQ(mark.position(), 9u) << "a watermark never decreases";
}

TEST(WatermarkTest, does_not_call_a_removed_waiter) {
  Watermark mark;
  std::string called;
  const auto first = mark.WhenAt(3, [&] { called += "a"; });
  const auto second = mark.WhenAt(3, [&] { called += "b"; });
  EXPECT_TRUE(mark.awaited());
  mark.Forget(first);
  mark.Advance(3);
  EXPECT_EQ(called, "b");
  mark.Forget(second);
  mark.Forget(mark.WhenAt(4, [&] { called += "c"; }));
  EXPECT_FALSE(mark.awaited());
}

TEST(WatermarkTest, follows_the_worker) {
  FanoutScene scene(Passes(1));
  scene.Do("buyer thread.create; buyer message.send body=x");
  bool reached = false;
  scene.worker->watermark(ProjectionId::kInbox).WhenAt(scene.core.table->LastPosition(), [&] {
    reached = true;
    EXPECT_EQ(scene.Inbox("seller"), "T:1") << "rows are written before a waiter is called";
  });
  scene.worker->Step();
  EXPECT_FALSE(reached);
  scene.worker->Step();
  EXPECT_TRUE(reached);
}

TEST(WorkerThread, runs_when_woken_and_until_stopped) {
  FanoutScene scene;
  std::thread runner([&] { scene.worker->Run(); });
  for (int round = 1; round <= 20; ++round) {
    scene.Do(round == 1 ? "buyer thread.create" : Sends(round, 1));
    std::promise<void> reached;
    scene.worker->watermark(ProjectionId::kInbox).WhenAt(static_cast<storage::Position>(round), [&] {
      reached.set_value();
    });
    scene.worker->Wake();
    reached.get_future().wait();
  }
  scene.worker->Stop();
  runner.join();
  EXPECT_EQ(scene.Inbox("seller"), "T:19");
}

}  // namespace
}  // namespace parley::fanout
