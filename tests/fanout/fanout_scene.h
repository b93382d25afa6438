// Runs the whole path of a message in one thread: executor, worker, hub, and sessions that record their
// events. Nothing runs by itself; the test steps each part.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/hub.h"
#include "fanout/live_delivery.h"
#include "fanout/worker.h"
#include "tests/threads/executor_scene.h"
#include "threads/model/read_context.h"

namespace parley::fanout {

using threads::Caller;
using threads::ExecutorScene;
using threads::Names;

// The tenant of the scenes.
inline const TenantId kTenant{"demo"};

// A session that records its events.
class Listener final : public Subscriber {
 public:
  Listener(std::string_view who, const Names& names,
           protocol::Encoding encoding = protocol::Encoding::kMsgpack);

  const TenantId& tenant() const override { return caller_.tenant; }
  const UserId& user() const override { return *caller_.user; }
  bool is_staff() const override { return caller_.is_staff(); }
  void OnRun(LiveRun& run) override;
  void OnEntry(const EntryNotice& notice, SharedPayload& payload) override;
  void OnNotice(SharedPayload&) override {}
  void OnEphemeral(const ThreadId& thread, SharedPayload& payload) override;

  // Returns the events since the last call, one line each: "T 4 message.created M1 buyer 'x'", "T read buyer
  // M1", "inbox T unread=1" (with "!" if no thread event implies it), "T typing buyer".
  std::string Take();
  std::vector<FramePtr> frames;
  std::vector<FramePtr> runs;

 private:
  std::string Hear(SharedPayload& payload);
  void Note(const ThreadId& thread, LiveEvent& event);
  const Caller caller_;
  const Names& names_;
  const protocol::Encoding encoding_;
  std::vector<std::string> lines_;
};

class FanoutScene : public NoticeSink {
 public:
  // So small that threads of three move in pieces, and nearly every test covers this.
  static constexpr size_t kPieceRows = 2;
  explicit FanoutScene(WorkerSettings settings = {}, threads::CardPorts ports = 0,
                       size_t piece_rows = kPieceRows);
  ~FanoutScene() override;

  // Runs lines separated by ';' through the executor only, and returns the last one's answer.
  std::string Do(std::string_view lines) { return core.Do(lines); }
  void Deliver();  // runs the loop: live events and entries reach the sessions
  void Project();  // runs the worker until it has caught up
  // Runs all of them until they are idle.
  void Settle();
  // Do, then Deliver and Project until idle.
  std::string Run(std::string_view lines);
  // Runs each line a second after the previous one.
  void RunLater(std::string_view lines);
  // Reads the current rows without waiting for projections. Returns parts of the answer (see Pick) or the
  // error.
  std::string Read(std::string_view line, std::string_view path);
  // Returns the user's folder as "T2:1 T:0": threads with their unread numbers.
  std::string Inbox(const std::string& user, const std::string& more = "");

  Listener& Listen(std::string_view who, protocol::Encoding encoding = protocol::Encoding::kMsgpack);
  void Hangup(Listener& listener);

  // Ends the process, with or without a crash, and opens the same disk again. Sessions are lost.
  void Restart();
  void Crash(size_t kept_applies);

  protocol::Metrics& metrics() { return *core.metrics; }

  ExecutorScene core;
  Names& names;
  std::vector<EntryNotice> notices;  // all notices of the worker since the start
  int frames_made = 0;
  std::unique_ptr<Hub> hub;
  std::unique_ptr<LiveDelivery> live;
  std::unique_ptr<Worker> worker;

 private:
  void Open();
  void Close();
  void OnEntries(std::vector<EntryNotice> changed, storage::Position through) override;
  void Post(std::function<void()> task) { loop_.push_back(std::move(task)); }

  // As in the node: committed changes are delivered without a request.
  struct Ringing final : threads::ChangeSink {
    explicit Ringing(const std::unique_ptr<LiveDelivery>& to) : live(to) {}
    void OnCommitted(std::vector<threads::CommittedChangePtr> changes) override {
      live->OnCommitted(std::move(changes));
      live->Ring();
    }
    const std::unique_ptr<LiveDelivery>& live;
  };

  const WorkerSettings settings_;
  const size_t piece_rows_;
  Ringing ringing_{live};
  std::unique_ptr<protocol::Metrics> metrics_;
  std::deque<std::function<void()>> loop_;
  std::vector<std::unique_ptr<Listener>> listeners_;
};

// Returns a metric's value as a scrape shows it.
double MetricValue(protocol::Metrics& metrics, const std::string& name);

}  // namespace parley::fanout
