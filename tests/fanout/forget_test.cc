// Tests that a swept store passes verify, that reads report the sweep, and that inboxes keep no trace.
#include <gtest/gtest.h>

#include "fanout/wakes.h"
#include "tests/fanout/verify_scene.h"
#include "threads/clock/clock_tasks.h"
#include "threads/model/retention.h"

namespace parley::fanout {
namespace {

class Forgetting : public VerifyScene {
 protected:
  void Send(int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      scene.core.Submit("buyer message.send body=x clientId=n-" + std::to_string(++sent_));
      if (i % 500 == 499) scene.core.Step();
    }
    scene.core.Step();
    scene.core.changes.clear();
    scene.core.ForgetAnswers();
  }
  void Forget() {
    std::string from;
    do {
      threads::Job job;
      job.tenant = TenantId{"demo"};
      job.thread = scene.core.ThreadNamed("T");
      job.decide = [this, from](threads::Transaction& tx) {
        return threads::RunClockTask(tx, TenantId{"demo"}, threads::ClockTask::kForget,
                                     scene.core.ThreadNamed("T"), {}, from);
      };
      job.done = [&](threads::Answer answer) { from = *answer; };
      scene.core.executor->Submit(std::move(job));
      scene.core.Step();
    } while (!from.empty());
  }
  std::vector<std::string> Verify() { return VerifyAll(); }
  protocol::Time FirstWake() {
    std::vector<Wake> wakes;
    EXPECT_TRUE(ReadWakes(*scene.core.table, TenantId{"demo"}, {}, 1, &wakes).ok());
    return wakes.empty() ? protocol::Time{0} : wakes.front().at;
  }
  int64_t sent_ = 0;
};

TEST_F(Forgetting, a_long_log_is_swept_and_older_changes_are_answered_with_reset) {
  scene.Run("buyer thread.create kind=project; buyer participant.add userId=gone");
  scene.Run("buyer participant.remove userId=gone");
  Send(threads::kKeptChanges + threads::kChangesSweptTogether);
  scene.Settle();
  EXPECT_EQ(Verify(), std::vector<std::string>());
  EXPECT_LE(FirstWake(), scene.core.clock.Now()) << "the sweep is due at once";
  Forget();
  scene.Settle();
  EXPECT_EQ(Verify(), std::vector<std::string>());
  EXPECT_GT(FirstWake(), scene.core.clock.Now());
  const int64_t last = std::stoll(scene.Read("buyer thread.get", "lastSeq"));
  const std::string kept = std::to_string(last - threads::kKeptChanges);
  const std::string swept = std::to_string(last - threads::kKeptChanges - 1);
  EXPECT_EQ(scene.Read("buyer thread.changes afterSeq=" + swept, "reset"), "true");
  EXPECT_EQ(scene.Read("buyer thread.changes limit=1 afterSeq=" + kept, "reset"), "");
  EXPECT_EQ(scene.Read("buyer thread.changes limit=1 afterSeq=" + kept, "changes.*.seq"),
            std::to_string(last - threads::kKeptChanges + 1));
  EXPECT_EQ(scene.Read("buyer thread.open afterSeq=" + swept, "reset"), "true");
}

TEST_F(Forgetting, a_member_swept_before_the_removal_is_projected_leaves_their_inbox) {
  scene.Run("buyer thread.create kind=project; buyer participant.add userId=gone");
  EXPECT_NE(scene.Inbox("gone"), "");
  scene.Do("buyer participant.remove userId=gone");
  Send(threads::kKeptChanges + threads::kChangesSweptTogether);
  Forget();
  ASSERT_FALSE(*scene.core.Rows().Participant(scene.core.ThreadNamed("T"), UserId{"gone"}));
  scene.Settle();
  EXPECT_EQ(scene.Inbox("gone"), "");
  EXPECT_EQ(Verify(), std::vector<std::string>());
}

}  // namespace
}  // namespace parley::fanout
