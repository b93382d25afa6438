// Tests that a caller that waits for a projection hurries the worker, even without a wake.
#include <future>
#include <thread>

#include "tests/fanout/fanout_scene.h"

namespace parley::fanout {
namespace {

TEST(WorkerThread, runs_at_once_for_a_waiter_without_a_wake) {
  FanoutScene scene;
  std::thread runner([&] { scene.worker->Run(); });
  for (int round = 1; round <= 20; ++round) {
    scene.Do(round == 1 ? "buyer thread.create" : "buyer message.send body=b" + std::to_string(round));
    std::promise<void> reached;
    scene.worker->WhenAt(ProjectionId::kInbox, static_cast<storage::Position>(round),
                         [&] { reached.set_value(); });
    reached.get_future().wait();
  }
  scene.worker->Stop();
  runner.join();
  EXPECT_EQ(scene.Inbox("seller"), "T:19");
}

// Gathers for longer than any test runs, so a change that is projected did not wait.
class PatientWorker : public testing::Test {
 protected:
  static WorkerSettings Patient() {
    WorkerSettings settings;
    settings.patience_ms = 3'600'000;
    return settings;
  }
  PatientWorker() : scene(Patient()), runner([this] { scene.worker->Run(); }) {}
  ~PatientWorker() override {
    scene.worker->Stop();
    runner.join();
  }
  void AwaitPosition(storage::Position position, bool hurry) {
    for (const ProjectionId id : {ProjectionId::kInbox, ProjectionId::kProject, ProjectionId::kCards}) {
      std::promise<void> reached;
      scene.worker->watermark(id).WhenAt(position, [&] { reached.set_value(); });
      if (hurry) scene.worker->Hurry();
      reached.get_future().wait();
    }
  }
  void Commit(const std::string& line) {
    scene.Do(line);
    scene.worker->WakeFor(backlog);
  }

  Backlog backlog;
  FanoutScene scene;
  std::thread runner;
};

TEST_F(PatientWorker, projects_gathered_messages_in_one_pass_when_a_reader_waits) {
  Commit("buyer thread.create");
  AwaitPosition(1, true);
  const uint64_t before = scene.worker->passes();
  for (int i = 0; i < 20; ++i) Commit("buyer message.send body=b" + std::to_string(i));
  AwaitPosition(21, true);
  // One pass of each projection, and one more if the worker was not idle when the first message was sent.
  EXPECT_LE(scene.worker->passes(), before + 6);
  EXPECT_EQ(scene.Inbox("seller"), "T:20");
}

TEST_F(PatientWorker, does_not_wait_when_a_change_is_urgent) {
  Commit("buyer thread.create");
  AwaitPosition(1, true);
  Commit("buyer message.send body=b");
  scene.Do("buyer message.send body=c");
  backlog.Press();
  scene.worker->WakeFor(backlog);
  AwaitPosition(3, false);
  EXPECT_EQ(scene.Inbox("seller"), "T:2");
}

TEST_F(PatientWorker, projects_the_remaining_changes_before_it_ends) {
  Commit("buyer thread.create");
  Commit("buyer message.send body=b");
  scene.worker->Stop();
  AwaitPosition(2, false);
}

}  // namespace
}  // namespace parley::fanout
