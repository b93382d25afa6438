// Runs the executor with a relay, and the item writer that stores the relay's rows: stepped by the test, on a
// store that can be restarted and crashed. RelayScene: the event relay, with a tenant that subscribes to some
// events.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "accounts/records/item_fields.h"
#include "features/events/event_inbox.h"
#include "features/events/event_relay.h"
#include "storage/declarations/load.h"
#include "storage/engine/item_writer.h"
#include "storage/engine/service_rules.h"
#include "tests/storage/memory_sealer.h"
#include "tests/threads/executor_scene.h"

namespace parley::features {

template <class Relay>
class RelaySceneOf : public storage::ItemAnswerSink {
 public:
  explicit RelaySceneOf(threads::ExecutorSettings executor = {}, fanout::RelaySettings settings = {})
      : settings_(settings), core(std::move(executor)) {
    Open();
  }
  ~RelaySceneOf() override = default;

  std::string Do(std::string_view lines) { return core.Do(lines); }
  // One step of the relay or of the writer; returns false if both are idle.
  bool Step() {
    const bool relayed = relay->Step();
    return writer->Step() || relayed;
  }
  void Settle() {
    while (Step()) {
    }
  }
  // The process ends, having saved nothing more, and another opens the same disk.
  void Crash() {
    core.table->Crash(0);
    Restart();
  }
  void Restart() {
    relay.reset();
    writer.reset();
    committer_.reset();
    core.Restart();
    Open();
  }

  template <class T>
  protocol::Result<T> Decide(const std::function<protocol::Result<T>(accounts::RecordTransaction&)>& decide) {
    protocol::Result<T> out = protocol::Error();
    storage::ItemJob job;
    job.decide = [&](storage::ItemTransaction& tx) {
      accounts::RecordTransaction records(tx, tenant);
      out = decide(records);
    };
    job.done = [](const storage::Status&) {};
    EXPECT_TRUE(writer->Submit(job));
    while (writer->Step()) {
    }
    return out;
  }
  accounts::RecordReads Reads() { return {*core.table, tenant, core.clock.Now(), sealer_}; }
  bool Submit(storage::ItemJob& job) { return !refuses && writer->Submit(job); }

 private:
  void Open() {
    metrics = std::make_unique<protocol::Metrics>();
    storage::Table& table = *core.table;
    committer_ = std::make_unique<storage::Committer>(table);
    catalog_ = std::make_unique<storage::Catalog>(storage::SeedTables());
    EXPECT_TRUE(catalog_->Load(table).ok());
    storage::ItemWriterSettings settings;
    settings.sealer = sealer_;
    writer = std::make_unique<storage::ItemWriter>(table, *committer_, *catalog_, core.clock, settings, *this,
                                                   *metrics);
    relay = std::make_unique<Relay>(
        table, [this](storage::ItemJob& job) { return Submit(job); }, [this] { OnWake(); }, settings_,
        *metrics);
    EXPECT_TRUE(relay->Open().ok());
  }
  void OnWake() {
    ++wakes;
    if (on_wake) on_wake();
  }
  void OnItemAnswers(std::vector<storage::ItemJob> done, const storage::Status& status) override {
    for (storage::ItemJob& job : done) job.done(status);
  }

  const fanout::RelaySettings settings_;
  const storage::Sealer sealer_ = storage::SealerInMemory("scene");
  std::unique_ptr<storage::Committer> committer_;
  std::unique_ptr<storage::Catalog> catalog_;

 public:
  threads::ExecutorScene core;
  std::unique_ptr<protocol::Metrics> metrics;
  std::unique_ptr<storage::ItemWriter> writer;
  std::unique_ptr<Relay> relay;
  protocol::TenantId tenant{"demo"};
  bool refuses = false;
  std::atomic<int> wakes = 0;
  std::function<void()> on_wake;
};

using EventRelayScene = RelaySceneOf<EventRelay>;
class RelayScene : public EventRelayScene {
 public:
  explicit RelayScene(protocol::EventKindSet wanted, fanout::RelaySettings settings = {})
      : RelayScene(std::make_shared<protocol::EventKindSet>(wanted), settings) {}

  void Want(protocol::EventKindSet wanted) { *wanted_ = wanted; }
  std::vector<Event> Events() {
    std::vector<Event> out;
    InboxAsk ask{100, {}};
    do {
      const auto page = ReadInbox(Reads(), ask);
      EXPECT_TRUE(page.ok());
      if (!page.ok()) return out;
      out.insert(out.end(), page->items.begin(), page->items.end());
      ask.after = page->next;
    } while (ask.after);
    return out;
  }
  // The undelivered events, oldest first: "T 4 message.created".
  std::string Waiting() {
    std::string out;
    for (const Event& event : Events()) {
      const std::string thread = accounts::TextOf(event.payload, "threadId");
      out += core.names.NameOf(thread) + " " +
             std::to_string(accounts::IntOf(event.payload, "seq").value_or(0)) + " " + event.type + "\n";
    }
    return out;
  }

 private:
  RelayScene(std::shared_ptr<protocol::EventKindSet> wanted, fanout::RelaySettings settings)
      : EventRelayScene(ExecutorSettingsWith(wanted), settings), wanted_(std::move(wanted)) {}
  static threads::ExecutorSettings ExecutorSettingsWith(std::shared_ptr<protocol::EventKindSet> wanted) {
    threads::ExecutorSettings settings;
    settings.policy = [wanted](const protocol::TenantId&) {
      threads::TenantRules policy;
      policy.events = *wanted;
      return policy;
    };
    return settings;
  }

  const std::shared_ptr<protocol::EventKindSet> wanted_;
};

inline constexpr protocol::EventKindSet kAllEvents = ~protocol::EventKindSet{0};

}  // namespace parley::features
