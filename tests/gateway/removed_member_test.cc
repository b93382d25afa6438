// A user who was removed from a thread receives the removal and nothing afterwards, whatever was on its way
// at that moment. Each race is reproduced here step by step, on one loop.
#include <gmock/gmock.h>

#include "gateway/app/node.h"
#include "storage/forwarding_table.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Runs a hook between a projection's read of the rows and its report.
class InterruptedTable final : public storage::ForwardingTable {
 public:
  using ForwardingTable::ForwardingTable;
  storage::Status Apply(std::span<const storage::DerivedWrite> writes, std::string_view projection,
                        storage::Position cursor) override {
    const auto status = ForwardingTable::Apply(writes, projection, cursor);
    if (projection == "inbox" && meanwhile) std::exchange(meanwhile, nullptr)();
    return status;
  }
  std::function<void()> meanwhile;
};

struct Way {
  size_t io;
  const char* deliver;
};
std::string WayName(const testing::TestParamInfo<Way>& info) {
  return std::string(info.param.deliver) + "_on_lane_" + std::to_string(info.param.io);
}

gateway::Config TwoIoThreads() {
  gateway::Config config = DemoConfig();
  config.io_threads = 2;
  return config;
}

class RemovedMember : public testing::TestWithParam<Way> {
 protected:
  FakeClient Bob(const std::string& more = "") {
    FakeClient bob = server_.Connect({.io = GetParam().io});
    bob.Send("session.hello", R"({"token":")" + server_.Token("bob") + R"(","deliver":")" +
                                  GetParam().deliver + "\"" + more + "}");
    return bob;
  }
  std::string NewThread() {
    const Frame made = ana_.Ask("thread.create",
                                Args({{"kind", "project"}, {"buyerUserId", "ana"}, {"sellerUserId", "bob"}}));
    return made.Text("ok.thread.threadId");
  }
  // Sends a request that waits for the held executor.
  void Queue(FakeClient& who, const char* op, const std::string& args) {
    server_.HoldExecutor(true);
    who.Send(op, args);
    server_.Settle();
  }
  void Say(const std::string& thread, const std::string& body) {
    ana_.Ask("message.send",
             Args({{"threadId", thread}, {"clientId", body}, {"type", "text"}, {"body", body}}));
  }
  std::string BobOf(const std::string& thread) { return Args({{"threadId", thread}, {"userId", "bob"}}); }

  FakeClock clock_;
  FakeLoop loop_{clock_};
  std::unique_ptr<storage::MemoryTable> memory_ = storage::NewMemoryTable();
  InterruptedTable table_{memory_.get()};
  FakeServer server_{clock_, loop_, table_, TwoIoThreads(), 1};
  FakeClient ana_ = server_.Join("ana");
};
INSTANTIATE_TEST_SUITE_P(Ways, RemovedMember,
                         testing::Values(Way{0, "all"}, Way{0, "open"}, Way{1, "all"}, Way{1, "open"}),
                         WayName);

TEST_P(RemovedMember, receives_no_entry_computed_before_the_removal) {
  FakeClient bob = Bob();
  server_.Settle();
  bob.TakeAll();
  server_.HoldWorker(true);
  const std::string thread = NewThread();
  Say(thread, "x");
  Queue(ana_, "participant.remove", BobOf(thread));
  bob.TakeAll();
  // The projection reads that they are a member; before it reports that, they are removed and notified.
  table_.meanwhile = [&] { server_.node().executors().Step(); };
  server_.node().worker().Step();
  loop_.RunUntilIdle();
  EXPECT_THAT(Lines(bob.TakeAll()), ElementsAre("participant.removed 5"));
  server_.HoldExecutor(false);
  server_.HoldWorker(false);
  server_.Settle();
  Say(thread, "y");
  EXPECT_THAT(Lines(bob.TakeAll()), IsEmpty());
}

TEST_P(RemovedMember, receives_events_again_after_returning) {
  FakeClient bob = Bob();
  server_.Settle();
  const std::string thread = NewThread();
  ana_.Ask("participant.remove", BobOf(thread));
  bob.TakeAll();
  server_.HoldWorker(true);
  Queue(ana_, "participant.add", BobOf(thread));
  server_.node().executors().Step();
  server_.HoldExecutor(false);
  server_.HoldWorker(false);
  server_.Settle();
  const auto received = Lines(bob.TakeAll());
  EXPECT_THAT(received, testing::Contains("inbox.updated"));
  Say(thread, "x");
  const bool all = std::string_view(GetParam().deliver) == "all";
  EXPECT_THAT(Lines(bob.TakeAll()), ElementsAre(all ? "message.created 6" : "inbox.updated"));
}

// Catch-up finds the removal in the rows before live delivery brings it.
TEST_P(RemovedMember, receives_nothing_from_live_delivery_after_catch_up_found_the_removal) {
  const std::string thread = NewThread();
  Say(thread, "x");
  const std::string last =
      ana_.Ask("message.list", Args({{"threadId", thread}})).Text("ok.messages.0.messageId");
  server_.HoldWorker(true);
  Say(thread, "y");
  Queue(ana_, "read.mark", Args({{"threadId", thread}, {"messageId", last}}));
  Queue(ana_, "participant.remove", BobOf(thread));
  const size_t before = server_.node().io_threads()[GetParam().io]->hub().sessions();
  FakeClient bob =
      Bob(R"(,"resume":{"epoch":")" + table_.identity().epoch + R"(","threads":{")" + thread + R"(":3}})");
  while (server_.node().io_threads()[GetParam().io]->hub().sessions() == before) ASSERT_TRUE(loop_.RunOne());
  // Its catch-up is the loop's next task; a commit now reaches the loop after it.
  table_.meanwhile = [&] { server_.node().executors().Step(); };
  server_.node().worker().Step();
  loop_.RunUntilIdle();
  const auto received = bob.TakeAll();
  EXPECT_THAT(Lines(received), ElementsAre("reply 1 ok", "thread.synced 5", "participant.removed 6"));
  server_.HoldExecutor(false);
  server_.HoldWorker(false);
  Say(thread, "z");
  EXPECT_THAT(Lines(bob.TakeAll()), IsEmpty());
}

TEST_P(RemovedMember, receives_nothing_after_catch_up_reported_the_removal) {
  const std::string thread = NewThread();
  server_.HoldWorker(true);
  Say(thread, "x");
  Queue(ana_, "participant.remove", BobOf(thread));
  table_.meanwhile = [&] { server_.node().executors().Step(); };
  FakeClient bob =
      Bob(R"(,"resume":{"epoch":")" + table_.identity().epoch + R"(","threads":{")" + thread + R"(":3}})");
  server_.node().executors().Step();  // live delivery of the removal waits for the hello
  loop_.RunUntilIdle();
  const auto received = bob.TakeAll();
  ASSERT_EQ(Lines(received), std::vector<std::string>{"reply 1 ok"});
  EXPECT_EQ(received[0].Text("ok.resumed." + thread), "gone");
}

}  // namespace
}  // namespace parley::gateway_test
