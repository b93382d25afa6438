// Tests that each domain event becomes one row of `Events`.
#include "features/events/event_relay.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "accounts/records/item_fields.h"
#include "fanout/project_projection.h"
#include "fanout/worker.h"
#include "features/events/payload.h"
#include "storage/engine/item_check.h"
#include "tests/fanout/fanout_scene.h"
#include "tests/features/events/relay_scene.h"
#include "tests/threads/files/file_scene.h"

namespace parley::features {
namespace {

using protocol::EventKind;

constexpr protocol::EventKindSet kMessages =
    protocol::SetOf(EventKind::kMessageCreated) | protocol::SetOf(EventKind::kMessageUpdated);

class Nobody final : public fanout::NoticeSink {
  void OnEntries(std::vector<fanout::EntryNotice>, storage::Position) override {}
};

std::vector<std::string> CheckItemsOf(RelayScene& scene) {
  std::vector<std::string> out;
  storage::ItemCheckReport report;
  EXPECT_TRUE(storage::CheckItems(
                  *scene.core.table->NewSnapshot(), storage::SeedTables(), scene.core.clock.Now(),
                  [&](const std::string& what) { out.push_back(what); }, &report)
                  .ok());
  return out;
}

TEST(EventRelay, stores_the_events_that_the_tenant_subscribed_to_and_no_others) {
  RelayScene scene(kMessages);
  scene.Do("buyer thread.create; buyer message.send body=a; seller message.send body=b");
  scene.Settle();
  EXPECT_EQ(scene.Waiting(), "T 4 message.created\nT 5 message.created\n");
  EXPECT_EQ(CheckItemsOf(scene), std::vector<std::string>{});
}

TEST(EventRelay, stores_a_promotion_once) {
  RelayScene scene(protocol::SetOf(EventKind::kThreadPromoted));
  scene.Do(
      "buyer thread.create kind=inquiry; service thread.promote lbgId=lbg_1 eventId=e1; "
      "service thread.promote lbgId=lbg_1 eventId=e1; service thread.promote legId=G1 eventId=e2");
  scene.Settle();
  const auto events = scene.Events();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].type, "thread.promoted_to_project");
  EXPECT_EQ(accounts::TextOf(events[0].payload, "threadId"), scene.core.names.IdOf("T"));
  const auto* item = events[0].payload.Find("item")->As<accounts::Item>();
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(accounts::TextOf(*item, "kind"), "project");
  EXPECT_EQ(accounts::TextOf(*item, "lbgId"), "lbg_1");
}

TEST(EventRelay, stores_each_change_of_a_file_although_it_takes_no_seq) {
  RelayScene scene(protocol::SetOf(EventKind::kFileScanning) | protocol::SetOf(EventKind::kFileReady));
  threads::FileScene files(scene.core);
  using enum threads::FileState;
  for (const char* name : {"F1", "F2"}) files.Given("buyer", name, kScanning);
  for (const auto state : {kReady, kQuarantined, kReady}) EXPECT_EQ(files.Move("F1", state), "ok");
  scene.Settle();
  std::multiset<std::string> reported;  // events of one millisecond and no seq have no order
  for (const Event& event : scene.Events()) {
    const auto* item = event.payload.Find("item")->As<accounts::Item>();
    ASSERT_NE(item, nullptr);
    EXPECT_EQ(accounts::TextOf(event.payload, "attachmentId"), accounts::TextOf(*item, "attachmentId"));
    EXPECT_FALSE(event.payload.Has("seq") || event.payload.Has("auditId"));
    reported.insert(scene.core.names.NameOf(accounts::TextOf(*item, "attachmentId")) + " " + event.type);
  }
  EXPECT_EQ(reported, (std::multiset<std::string>{"F1 file.ready", "F1 file.ready", "F1 file.scanning",
                                                  "F2 file.scanning"}));
}

TEST(EventRelay, stores_nothing_without_a_subscription) {
  RelayScene scene(0);
  scene.Do("buyer thread.create; buyer message.send body=a");
  scene.Settle();
  EXPECT_EQ(scene.Waiting(), "");
  EXPECT_EQ(scene.relay->position(), scene.core.table->LastPosition());
}

TEST(EventRelay, a_subscription_applies_to_later_decisions) {
  RelayScene scene(0);
  scene.Do("buyer thread.create; buyer message.send body=a");
  scene.Want(kMessages);
  scene.Do("buyer message.send body=b");
  scene.Want(0);
  scene.Do("buyer message.send body=c");
  scene.Settle();
  EXPECT_EQ(scene.Waiting(), "T 5 message.created\n");
}

TEST(EventRelay, the_payload_is_the_event_as_it_was) {
  RelayScene scene(kMessages);
  scene.Do("buyer thread.create; buyer message.send body=first; buyer message.edit messageId=M1 body=second");
  scene.Settle();
  const auto events = scene.Events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].type, "message.created");
  EXPECT_EQ(events[1].type, "message.updated");
  const auto& created = events[0].payload;
  EXPECT_EQ(accounts::TextOf(created, "type"), "message.created");
  EXPECT_EQ(accounts::TextOf(created, "tenant"), "demo");
  EXPECT_EQ(accounts::TextOf(created, "threadId"), scene.core.names.IdOf("T"));
  EXPECT_TRUE(accounts::TimeOf(created, "at").has_value());
  const auto* item = created.Find("item")->As<accounts::Item>();
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(accounts::TextOf(*item, "body"), "first");
  EXPECT_EQ(accounts::TextOf(*events[1].payload.Find("item")->As<accounts::Item>(), "body"), "second");
}

TEST(EventRelay, events_of_a_thread_that_come_together_keep_their_order) {
  RelayScene scene(kAllEvents);
  scene.Do("buyer thread.create; buyer participant.add userId=carol; buyer message.send body=a");
  for (int n = 0; n < 20; ++n) scene.Do("seller message.send body=m" + std::to_string(n));
  scene.Settle();
  const auto events = scene.Events();
  ASSERT_GT(events.size(), 20u);
  for (size_t i = 0; i < events.size(); ++i)
    EXPECT_EQ(accounts::IntOf(events[i].payload, "seq"), static_cast<int64_t>(i + 1));
}

// The clock steps back: later events still follow earlier ones.
TEST(EventRelay, no_event_precedes_those_stored_already) {
  RelayScene scene(kMessages);
  scene.Do("buyer thread.create; buyer message.send body=a");
  scene.Settle();
  scene.core.clock.Advance(-60'000);
  scene.Do("buyer message.send body=b");
  scene.Settle();
  EXPECT_EQ(scene.Waiting(), "T 4 message.created\nT 5 message.created\n");
}

// Killed after each number of steps: no event is lost or doubled, and events acknowledged or deleted before
// the crash do not return.
TEST(EventRelay, stores_each_event_once_despite_crashes_between_any_two_steps) {
  constexpr int kStepsMost = 24;
  for (int steps = 0; steps <= kStepsMost; ++steps) {
    SCOPED_TRACE("steps before the crash: " + std::to_string(steps));
    RelayScene scene(kMessages, {2, 1, 1});
    scene.Do("buyer thread.create");
    for (int n = 0; n < 5; ++n) scene.Do("buyer message.send body=m" + std::to_string(n));
    for (int n = 0; n < steps; ++n) n % 2 == 0 ? scene.relay->Step() : scene.writer->Step();
    std::set<std::string> taken;
    for (const auto& event : scene.Events()) {
      taken.insert(event.event_id);
      const bool acked = taken.size() % 2 == 0;
      const auto done =
          scene.Decide<protocol::Unit>([&](accounts::RecordTransaction& tx) -> protocol::Status {
            if (!acked) return DeleteEvent(tx, event.event_id);
            PARLEY_CHECK_OK(AckEvent(tx, event.event_id));
            return protocol::Ok();
          });
      EXPECT_TRUE(done.ok());
    }
    scene.Crash();
    scene.Settle();
    size_t reported = taken.size();
    for (const auto& event : scene.Events()) {
      EXPECT_FALSE(taken.contains(event.event_id)) << "came back";
      ++reported;
    }
    EXPECT_EQ(reported, 5u);
    EXPECT_EQ(CheckItemsOf(scene), std::vector<std::string>{});
  }
}

// The place that is saved with the projections' cursors is lost with them; the one beside the rows is not.
TEST(EventRelay, a_lost_place_brings_no_event_back) {
  RelayScene scene(kMessages);
  scene.Do("buyer thread.create; buyer message.send body=a");
  scene.Settle();
  const auto event = scene.Events().at(0);
  ASSERT_TRUE(scene
                  .Decide<protocol::Unit>(
                      [&](accounts::RecordTransaction& tx) { return DeleteEvent(tx, event.event_id); })
                  .ok());
  scene.relay->Save();
  scene.Crash();
  scene.Settle();
  EXPECT_EQ(scene.Waiting(), "");
}

TEST(EventRelay, a_write_requested_twice_is_done_once) {
  RelayScene scene(kMessages);
  scene.Do("buyer thread.create; buyer message.send body=a");
  std::vector<fanout::RelayedEntry> entries;
  EXPECT_TRUE(scene.core.table
                  ->ReadLog(0, SIZE_MAX,
                            [&](storage::Position position, std::string_view bytes) {
                              fanout::RelayedEntry one{position, {}};
                              EXPECT_TRUE(threads::DecodeChangeEntry(bytes, &one.entry));
                              if (one.entry.subscribed.value) entries.push_back(one);
                              return true;
                            })
                  .ok());
  ASSERT_EQ(entries.size(), 1u);
  const auto write = [&] {
    return *scene.Decide<size_t>([&](accounts::RecordTransaction& tx) -> protocol::Result<size_t> {
      return WriteEventRows(tx.tx(), entries, entries[0].position).rows;
    });
  };
  EXPECT_EQ(write(), 1u);
  const std::string id = scene.Events().at(0).event_id;
  ASSERT_TRUE(
      scene.Decide<protocol::Unit>([&](accounts::RecordTransaction& tx) { return DeleteEvent(tx, id); })
          .ok());
  EXPECT_EQ(write(), 0u);
  EXPECT_EQ(scene.Waiting(), "");
}

TEST(EventRelay, continues_after_the_writer_accepts_its_write_again) {
  RelayScene scene(kMessages);
  scene.Do("buyer thread.create; buyer message.send body=a");
  scene.refuses = true;
  scene.Settle();
  EXPECT_TRUE(scene.relay->stuck());
  EXPECT_EQ(scene.Waiting(), "");
  scene.refuses = false;
  scene.Settle();
  EXPECT_FALSE(scene.relay->stuck());
  EXPECT_EQ(scene.Waiting(), "T 4 message.created\n");
  EXPECT_GT(scene.wakes, 0);
}

TEST(EventRelay, an_answer_after_its_end_is_harmless) {
  RelayScene scene(kMessages);
  scene.Do("buyer thread.create; buyer message.send body=a");
  while (!scene.relay->writing()) ASSERT_TRUE(scene.relay->Step());
  scene.relay.reset();
  scene.writer->Step();
  EXPECT_EQ(scene.wakes, 0);
  EXPECT_EQ(scene.Waiting(), "T 4 message.created\n");
}

// An event too large for a row is stored without its item.
TEST(EventRelay, a_large_item_is_left_out_of_the_stored_event) {
  threads::ChangeEntry entry;
  entry.tenant = protocol::TenantId{"demo"};
  entry.at.value = protocol::Time{1000};
  protocol::Writer item;
  item.BeginMap(1);
  item.Text("body");
  item.Text(std::string(kPayloadBytesMax, 'x'));
  bool cut = false;
  const auto payload = DomainPayload(entry, {EventKind::kMessageCreated, 7, {item.Take()}, {}}, &cut);
  EXPECT_TRUE(cut);
  EXPECT_FALSE(payload.Has("item"));
  EXPECT_TRUE(accounts::IsTrue(payload, "cut"));
  EXPECT_EQ(accounts::IntOf(payload, "seq"), 7);
}

// The log is kept for the relay as for the projections.
TEST(EventRelay, the_log_is_not_trimmed_before_the_relay_has_read_it) {
  RelayScene relayed(kMessages);
  relayed.Do("buyer thread.create");
  Nobody nobody;
  protocol::Metrics metrics;
  fanout::WorkerSettings settings;
  settings.trim_every = 1;
  settings.save_cursor_every = 1;
  fanout::Worker worker(*relayed.core.table, settings, nobody, metrics);
  worker.Add(std::make_unique<fanout::ProjectProjection>());  // has no use for them
  worker.Add(relayed.relay.get());
  EXPECT_TRUE(worker.Open().ok());
  relayed.refuses = true;
  for (int n = 0; n < 5; ++n) relayed.Do("buyer message.send body=m" + std::to_string(n));
  while (worker.Step()) {
  }
  relayed.refuses = false;
  while (worker.Step() || relayed.writer->Step()) {
  }
  EXPECT_EQ(relayed.Events().size(), 5u);
}

// Worker and writer on threads of their own, as in the server, while messages keep coming.
TEST(EventRelay, stores_each_event_once_on_threads_of_its_own) {
  constexpr size_t kMessagesSent = 200;
  RelayScene scene(kMessages, {16, size_t{1} << 20, 8});
  scene.Do("buyer thread.create");
  Nobody nobody;
  protocol::Metrics metrics;
  fanout::Worker worker(*scene.core.table, {}, nobody, metrics);
  worker.Add(scene.relay.get());
  std::mutex mutex;
  std::condition_variable reported;
  scene.on_wake = [&] {
    worker.Wake();
    std::lock_guard lock(mutex);
    reported.notify_all();
  };
  std::thread works([&] { worker.Run(); }), writes([&] { scene.writer->Run(); });
  for (size_t n = 0; n < kMessagesSent; ++n) {
    scene.Do("buyer message.send body=m" + std::to_string(n));
    worker.Wake();
  }
  {
    std::unique_lock lock(mutex);
    reported.wait(lock, [&] { return scene.Events().size() == kMessagesSent; });
  }
  worker.Stop();
  works.join();
  scene.writer->Stop();
  writes.join();
  EXPECT_EQ(scene.Events().size(), kMessagesSent);
  EXPECT_EQ(CheckItemsOf(scene), std::vector<std::string>{});
}

}  // namespace
}  // namespace parley::features
