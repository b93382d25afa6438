// Each command wakes a sleeping executor, so none waits for the next command or for the end.
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "tests/threads/executor_scene.h"

namespace parley::threads {
namespace {

TEST(ExecutorThreads, a_single_command_is_answered_without_another_after_it) {
  ExecutorScene scene;
  scene.Do("buyer thread.create");
  std::thread runner([&] { scene.executor->Run(); });
  for (int i = 0; i < 200; ++i) {
    // The executor usually sleeps by then; the answer must arrive in either case.
    for (int turn = 0; turn < i; ++turn) std::this_thread::yield();
    std::promise<bool> answered;
    Job job = JobFrom(CallFrom("buyer message.send body=b" + std::to_string(i), scene.names));
    job.done = [&](const Answer& answer) { answered.set_value(answer.ok()); };
    scene.executor->Submit(std::move(job));
    EXPECT_TRUE(answered.get_future().get());
  }
  scene.executor->Stop();
  runner.join();
}

}  // namespace
}  // namespace parley::threads
