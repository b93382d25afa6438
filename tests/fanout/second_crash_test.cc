// Tests a crash while a large thread's rows move in pieces, and a second one before they are at one place
// again.
#include "tests/fanout/fanout_scene.h"
#include "tests/fanout/naive_index.h"

namespace parley::fanout {
namespace {

// After the first crash, rows are at two places. If the thread moved to a third place in pieces, later passes
// would miss one of the three, so the rows are first brought together.
TEST(WorkerPass, a_second_crash_during_a_move_neither_loses_nor_doubles_a_row) {
  constexpr size_t kPieces = 6;  // more than a pass has; the highest values keep all pieces
  for (size_t first = 0; first <= kPieces; ++first) {
    for (size_t second = 0; second <= kPieces; ++second) {
      SCOPED_TRACE("applies kept: " + std::to_string(first) + ", then " + std::to_string(second));
      FanoutScene scene;
      scene.Do("buyer thread.create; buyer participant.add userId=carol; buyer participant.add userId=dan");
      scene.Do("buyer message.send body=a");
      scene.Project();
      for (const auto& [body, kept] : {std::pair("b", first), std::pair("c", second)}) {
        scene.core.clock.Advance(1000);
        scene.Do(std::string("buyer message.send body=") + body);
        scene.worker->Step();
        scene.Crash(kept);
      }
      scene.core.clock.Advance(1000);
      scene.Do("buyer message.send body=d");
      scene.Project();
      ExpectExactIndexes(*scene.core.table);
      EXPECT_EQ(scene.Inbox("dan"), "T:4");
    }
  }
}

}  // namespace
}  // namespace parley::fanout
