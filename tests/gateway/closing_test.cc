// Closing a thread under `deliver: open`: until then its changes arrive as events, afterwards as inbox
// entries.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "gateway/app/node.h"
#include "storage/forwarding_table.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;

// Runs a hook between a commit and its report to the executor.
class PausingTable final : public storage::ForwardingTable {
 public:
  using ForwardingTable::ForwardingTable;
  storage::Status Commit(std::span<const storage::CommitRequest> requests,
                         std::vector<storage::CommitResult>* results) override {
    auto status = ForwardingTable::Commit(requests, results);
    if (const auto pause = std::exchange(pause_, nullptr)) pause();
    return status;
  }
  void PauseAfterNextCommit(std::function<void()> pause) { pause_ = std::move(pause); }

 private:
  std::function<void()> pause_;
};

class Closing : public testing::Test {
 protected:
  std::string OfThread() const { return Args({{"threadId", thread_}}); }
  void Say(const std::string& body) {
    ana_.Ask("message.send",
             Args({{"threadId", thread_}, {"clientId", body}, {"type", "text"}, {"body", body}}));
  }

  FakeClock clock_;
  FakeLoop loop_{clock_};
  const std::unique_ptr<storage::MemoryTable> memory_ = storage::NewMemoryTable();
  PausingTable table_{memory_.get()};
  FakeServer server_{clock_, loop_, table_, DemoConfig(), 1};
  FakeClient ana_ = server_.Join("ana");
  FakeClient bob_ = server_.Join("bob", protocol::Encoding::kJson, R"("deliver":"open")");
  const std::string thread_ =
      ana_.Ask("thread.create", Args({{"kind", "project"}, {"buyerUserId", "ana"}, {"sellerUserId", "bob"}}))
          .Text("ok.thread.threadId");
};

TEST_F(Closing, loses_no_change_whose_entry_precedes_its_event) {
  ASSERT_TRUE(bob_.Ask("thread.open", OfThread()).ok());
  bob_.TakeAll();
  table_.PauseAfterNextCommit([&] {
    while (server_.node().worker().Step()) {
    }
    loop_.RunUntilIdle();  // the entry arrives and is skipped
    bob_.Send("thread.close", OfThread());
    loop_.RunUntilIdle();
  });
  Say("the last word");
  EXPECT_THAT(Lines(bob_.TakeAll()), ElementsAre("message.created 4", "reply 3 ok"));
  Say("and another");
  EXPECT_THAT(Lines(bob_.TakeAll()), ElementsAre("inbox.updated"));
}

TEST_F(Closing, finishes_before_a_later_opening) {
  bob_.Send("thread.open", OfThread());
  bob_.Send("thread.close", OfThread());
  bob_.Send("thread.open", OfThread());
  server_.Settle();
  bob_.TakeAll();
  Say("heard in full");
  EXPECT_THAT(Lines(bob_.TakeAll()), ElementsAre("message.created 4"));
}

}  // namespace
}  // namespace parley::gateway_test
