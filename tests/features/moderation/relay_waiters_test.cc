// A caller that waits for a relay hurries the worker through all of the relay's steps.
#include <future>
#include <thread>

#include "fanout/worker.h"
#include "tests/features/moderation/audit_scene.h"

namespace parley::features {
namespace {

class Silent final : public fanout::NoticeSink {
  void OnEntries(std::vector<fanout::EntryNotice> /*changed*/, storage::Position /*through*/) override {}
};

// With a pause after each pass that no test outlives: a relay is awaited over several steps.
TEST(RelayWaiters, make_the_worker_run_all_relay_steps_without_a_pause) {
  AuditScene scene;
  Silent notices;
  fanout::WorkerSettings settings;
  settings.gather_ms = 3'600'000;
  fanout::Worker worker(*scene.core.table, settings, notices, *scene.metrics);
  worker.Add(scene.relay.get());
  scene.on_wake = [&] { worker.Wake(); };
  scene.Do("buyer thread.create");
  std::thread writer([&] { scene.writer->Run(); });
  std::thread runner([&] { worker.Run(); });
  for (size_t looks = 1; looks <= 3; ++looks) {
    scene.Look("thread.open");
    std::promise<void> reached;
    scene.relay->reached().WhenAt(scene.core.table->LastPosition(), [&] { reached.set_value(); });
    worker.Hurry();
    reached.get_future().wait();
    EXPECT_EQ(scene.Entries().size(), looks);
  }
  worker.Stop();
  runner.join();
  scene.writer->Stop();
  writer.join();
}

}  // namespace
}  // namespace parley::features
