// Tests that an unreadable row stops only the projection of its thread, and that the worker does not open if
// a projection missed trimmed entries.
#include <gmock/gmock.h>

#include "fanout/inbox_projection.h"
#include "fanout/keys.h"
#include "fanout/worker.h"
#include "tests/fanout/naive_index.h"
#include "tests/fanout/verify_scene.h"

namespace parley::fanout {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class WorkerAside : public VerifyScene {
 protected:
  // Makes two threads of the buyer; carol is only in the first.
  void SetUp() override {
    ASSERT_EQ(scene.Run("buyer thread.create participants=[{\"userId\":\"carol\"}];"
                        "buyer thread.create sellerUserId=dan"),
              "ok");
  }
  std::string Swap(const std::string& payload) {
    const auto partition = threads::ThreadPartition(kTenant, scene.core.ThreadNamed("T"));
    const auto sort = threads::ParticipantKey({"carol"});
    std::optional<storage::Row> row;
    EXPECT_TRUE(scene.core.table->Get(partition, sort, &row).ok() && row);
    const storage::DerivedWrite write{partition, sort, storage::Row{row->version, payload}};
    storage::Position cursor = 0;
    EXPECT_TRUE(scene.core.table->ReadCursor("inbox", &cursor).ok());
    EXPECT_TRUE(scene.core.table->Apply({&write, 1}, "inbox", cursor).ok());
    return row->payload;
  }
  double AsideMetric() {
    return MetricValue(*scene.core.metrics, "parley_projection_threads_aside{projection=\"inbox\"}");
  }
  std::vector<std::string> Verify() { return VerifyAll(); }
};

TEST_F(WorkerAside, a_thread_with_an_unreadable_row_is_skipped_and_others_continue) {
  const std::string sound = Swap("\xc1");
  scene.Run("buyer message.send body=x; buyer message.send threadId=T2 body=y");
  EXPECT_EQ(scene.worker->fault(), "");
  EXPECT_FALSE(scene.worker->stopped(ProjectionId::kInbox));
  EXPECT_EQ(MetricValue(*scene.core.metrics, "parley_projection_lag{projection=\"inbox\"}"), 0);
  EXPECT_EQ(scene.Inbox("dan"), "T2:1");
  EXPECT_EQ(scene.Inbox("buyer"), "T2:0 T:0") << "as the thread was before";
  ASSERT_EQ(scene.worker->aside().threads, 1u);
  EXPECT_EQ(scene.worker->aside().first[0].thread, scene.core.ThreadNamed("T"));
  EXPECT_EQ(AsideMetric(), 1);
  EXPECT_THAT(Verify(), Contains(HasSubstr("set aside by the projection inbox")));

  Swap(sound);
  scene.core.clock.Advance(1);
  scene.Run("seller message.send body=z");
  EXPECT_EQ(scene.worker->aside().threads, 0u);
  EXPECT_EQ(AsideMetric(), 0);
  EXPECT_EQ(scene.Inbox("buyer"), "T:1 T2:0");
  EXPECT_EQ(scene.Inbox("carol"), "T:2");
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(WorkerAside, a_personal_change_updates_all_members_of_a_skipped_thread) {
  const std::string sound = Swap("\xc1");
  scene.Run("buyer message.send body=x");
  Swap(sound);
  scene.Run("carol inbox.set pinned=true");
  EXPECT_EQ(scene.Inbox("seller"), "T:1");
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(WorkerAside, is_remembered_and_retried_after_a_restart) {
  const std::string sound = Swap("\xc1");
  scene.Run("buyer message.send body=x");
  scene.worker->SaveCursors();
  scene.Restart();
  EXPECT_EQ(scene.worker->aside().threads, 1u);
  scene.Project();
  EXPECT_EQ(scene.worker->aside().threads, 1u);
  Swap(sound);
  scene.Restart();
  scene.Project();
  EXPECT_EQ(scene.worker->aside().threads, 0u);
  EXPECT_EQ(scene.Inbox("carol"), "T:1");
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(WorkerAside, unreadable_counts_are_recounted) {
  const storage::DerivedWrite write{InboxPartition(kTenant, {"dan"}), InboxCountsKey(),
                                    storage::Row{1, "\xff"}};
  storage::Position cursor = 0;
  ASSERT_TRUE(scene.core.table->ReadCursor("inbox", &cursor).ok());
  ASSERT_TRUE(scene.core.table->Apply({&write, 1}, "inbox", cursor).ok());
  scene.Run("buyer message.send threadId=T2 body=y; buyer message.send body=x");
  EXPECT_EQ(scene.worker->fault(), "");
  EXPECT_EQ(scene.worker->aside().threads, 0u);
  EXPECT_THAT(Verify(), IsEmpty());
}

// --- trimmed entries

class OpenedWorker {
 public:
  explicit OpenedWorker(FanoutScene& scene) : worker_(*scene.core.table, {}, scene, metrics_) {
    worker_.Add(std::make_unique<InboxProjection>([](const TenantId&, const UserId&) { return false; }));
    status = worker_.Open();
  }
  storage::Status status;

 private:
  protocol::Metrics metrics_;
  Worker worker_;
};

TEST(WorkerOpen, rejects_a_cursor_before_the_trimmed_position) {
  FanoutScene scene;
  scene.Do("buyer thread.create; buyer message.send body=a; buyer message.send body=b");
  EXPECT_TRUE(OpenedWorker(scene).status.ok());
  ASSERT_TRUE(scene.core.table->TrimLog(2).ok());
  const auto lost = OpenedWorker(scene).status;
  EXPECT_EQ(lost.code, storage::StatusCode::kCorrupt);
  EXPECT_THAT(lost.detail, HasSubstr("processed the change log up to 0, but the log begins at 3"));
  ASSERT_TRUE(scene.core.table->TrimLog(3).ok());
  EXPECT_EQ(OpenedWorker(scene).status.code, storage::StatusCode::kCorrupt) << "the log is empty";
}

TEST(WorkerOpen, accepts_a_cursor_at_the_trimmed_position) {
  FanoutScene scene;
  scene.Run("buyer thread.create; buyer message.send body=a");
  scene.worker->SaveCursors();
  ASSERT_TRUE(scene.core.table->TrimLog(2).ok());
  EXPECT_TRUE(OpenedWorker(scene).status.ok());
}

TEST(WorkerOpen, rejects_a_cursor_beyond_the_log) {
  FanoutScene scene;
  scene.Run("buyer thread.create");
  ASSERT_TRUE(scene.core.table->Apply({}, "inbox", 99).ok());
  EXPECT_THAT(OpenedWorker(scene).status.detail, HasSubstr("ends at 1"));
}

}  // namespace
}  // namespace parley::fanout
