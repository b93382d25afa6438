// Tests that the inbox and the project index are pure functions of the threads' rows, for any commands, sizes
// of passes, and crashes.
#include "tests/fanout/fanout_scene.h"
#include "tests/fanout/naive_index.h"
#include "tests/threads/random_commands.h"

namespace parley::fanout {
namespace {

class ExactnessTest : public testing::TestWithParam<uint64_t> {
 protected:
  static constexpr std::string_view kThreads =
      "buyer thread.create; buyer thread.create; buyer thread.create kind=group with=seller,carol";
};

TEST_P(ExactnessTest, after_random_commands_taken_together_in_passes_of_any_size) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  WorkerSettings settings;
  settings.pass_entries =
      1 + GetParam() % 5;  // so small that a pass reads rows that are ahead of its log entries
  FanoutScene scene(settings);
  scene.Do(kThreads);
  threads::RandomCommands commands(scene.names, GetParam());
  for (int round = 0; round < 200; ++round) {
    for (size_t n = commands.Below(6); n-- > 0;) scene.core.Submit(commands.Next());
    scene.core.clock.Advance(static_cast<int64_t>(commands.Below(3)));
    scene.core.Step();
    for (size_t n = commands.Below(4); n-- > 0;) scene.worker->Step();
    if (commands.Below(15) != 0) continue;
    scene.Project();
    ASSERT_NO_FATAL_FAILURE(ExpectExactIndexes(*scene.core.table)) << "round " << round;
    if (testing::Test::HasFailure()) return;
  }
}

TEST_P(ExactnessTest, after_crashes_that_lose_unsynced_writes) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  WorkerSettings settings;
  settings.pass_entries = 1 + GetParam() % 4;
  settings.save_cursor_every = 8;
  settings.trim_every = 16;
  FanoutScene scene(settings);
  scene.Do(kThreads);
  threads::RandomCommands commands(scene.names, GetParam() + 1000);
  for (int round = 0; round < 200; ++round) {
    for (size_t n = commands.Below(4); n-- > 0;) scene.core.Submit(commands.Next());
    scene.core.Step();
    for (size_t n = commands.Below(4); n-- > 0;) scene.worker->Step();
    if (commands.Below(8) == 0) scene.Crash(commands.Below(scene.core.table->UnsyncedApplies() + 1));
    if (commands.Below(15) != 0) continue;
    scene.Project();
    ExpectExactIndexes(*scene.core.table);
    if (testing::Test::HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ExactnessTest, testing::Range(uint64_t{1}, uint64_t{21}));

}  // namespace
}  // namespace parley::fanout
