// A caller that waits for a projection hurries the worker, whether or not it is woken.
#include <future>
#include <thread>

#include "tests/fanout/fanout_scene.h"

namespace parley::fanout {
namespace {

TEST(WorkerThread, looks_at_once_for_a_waiter_though_nobody_woke_it) {
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

}  // namespace
}  // namespace parley::fanout
