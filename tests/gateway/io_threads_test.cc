// Two real I/O threads and two executors: two transports on one port, each on its thread, with the threads of
// the executors and of a worker, and clients that the kernel spreads over both. Every client receives every
// message in the same order, whichever thread serves it, and no read returns less than the events before it,
// from memory or from a reader thread.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/gateway/live_server_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

constexpr size_t kClients = 16;  // all end up on one thread in one of 32 768 runs
constexpr int kMessages = 40;    // per client

// A user on a separate thread who keeps every event received.
class Chatter {
 public:
  Chatter(const LiveServer& server, std::string name) : name_(std::move(name)) {
    EXPECT_EQ(client_.Connect(server.port(), "/v1/ws", {"parley.v1.json"}).status, 101);
    Ask("session.hello", R"({"token":")" + server.Token(name_) + R"("})");
  }

  // Returns the reply; keeps events that arrive before it.
  Frame Ask(const std::string& op, const std::string& args) {
    const uint32_t id = ++last_id_;
    client_.SendText(R"({"id":)" + std::to_string(id) + R"(,"op":")" + op + R"(","args":)" + args + "}");
    while (auto frame = Next()) {
      if (frame->reply_to() != id) continue;
      EXPECT_TRUE(frame->ok()) << op << ": " << frame->Json();
      return *frame;
    }
    return {};
  }
  // Checks that a read returns every message received before its reply.
  void ReadNewest(const std::string& thread) {
    const Frame page = Ask("message.list", R"({"threadId":")" + thread + R"(","limit":1})");
    if (page.Size("ok.messages") > 0) {
      EXPECT_GE(page.Int("ok.messages.0.seq"), last_message_seq_) << name_;
    }
  }
  void AwaitSeq(int64_t seq) {
    while (last_seq_ < seq && Next()) {
    }
  }
  void AwaitEvent(const std::string& ev, const std::string& user) {
    while (const auto frame = Next()) {
      if (frame->ev() == ev && frame->Json().find('"' + user + '"') != std::string::npos) return;
    }
    ADD_FAILURE() << name_ << " never heard " << ev << " of " << user;
  }
  void Leave() {
    client_.SendClose(1000);
    client_.AwaitEnd();
  }

  const std::string& name() const { return name_; }
  const std::vector<std::string>& received() const { return received_; }

 private:
  // Returns the next frame, or nullopt on time-out.
  std::optional<Frame> Next() {
    const WsFrame bytes = client_.ReadData();
    if (!bytes.ok() || bytes.is_close()) {
      ADD_FAILURE() << name_ << " waits in vain";
      return std::nullopt;
    }
    Frame frame(protocol::Encoding::kJson, bytes.payload);
    if (frame.Has("seq")) {
      EXPECT_GT(frame.Int("seq"), last_seq_) << name_;
      last_seq_ = frame.Int("seq");
    }
    if (frame.ev() == "message.created") {
      received_.push_back(frame.Text("item.body"));
      last_message_seq_ = last_seq_;
    }
    return frame;
  }

  const std::string name_;
  WsTestClient client_;
  uint32_t last_id_ = 0;
  int64_t last_seq_ = 0, last_message_seq_ = 0;
  std::vector<std::string> received_;
};

// The parameter: nothing is in memory, so every read goes to a reader thread.
class IoThreads : public testing::TestWithParam<bool> {
 protected:
  IoThreads() {
    for (size_t i = 0; i < kClients; ++i)
      chatters_.push_back(std::make_unique<Chatter>(server_, "usr_" + std::to_string(i)));
    std::string others;
    for (size_t i = 2; i < kClients; ++i)
      others += (i > 2 ? "," : "") + std::string(R"({"userId":")") + chatters_[i]->name() + R"("})";
    thread_ = chatters_[0]
                  ->Ask("thread.create", R"({"kind":"project","buyerUserId":"usr_0","sellerUserId":"usr_1",)"
                                         R"("participants":[)" +
                                             others + "]}")
                  .Text("ok.thread.threadId");
  }

  LiveServer server_{[] {
    LiveSettings settings;
    settings.io_threads = 2;
    settings.config.executor_threads = 2;
    settings.cold = GetParam();
    return settings;
  }()};
  std::vector<std::unique_ptr<Chatter>> chatters_;
  std::string thread_;
};
INSTANTIATE_TEST_SUITE_P(Memory, IoThreads, testing::Bool(),
                         [](const auto& param) { return param.param ? "cold" : "warm"; });

TEST_P(IoThreads, every_client_receives_every_message_in_one_order) {
  EXPECT_GT(server_.node().io_threads()[0]->hub().sessions(), 0u);
  EXPECT_GT(server_.node().io_threads()[1]->hub().sessions(), 0u);
  std::vector<std::thread> threads;
  std::atomic<int64_t> last_seq{0};
  for (auto& chatter : chatters_) {
    threads.emplace_back([&, &one = *chatter] {
      for (int i = 0; i < kMessages; ++i) {
        const std::string body = one.name() + " says " + std::to_string(i);
        const std::string args = R"({"threadId":")" + thread_ + R"(","clientId":")" + one.name() +
                                 std::to_string(i) + R"(","type":"text","body":")" + body + R"("})";
        const int64_t seq = one.Ask("message.send", args).Int("ok.seq");
        for (int64_t seen = last_seq; seen < seq && !last_seq.compare_exchange_weak(seen, seq);) {
        }
        if (i % 4 == 0) one.ReadNewest(thread_);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (auto& chatter : chatters_) chatter->AwaitSeq(last_seq);
  for (auto& chatter : chatters_) {
    EXPECT_EQ(chatter->received().size(), kClients * kMessages);
    EXPECT_EQ(chatter->received(), chatters_[0]->received()) << chatter->name();
  }
}

TEST_P(IoThreads, typing_and_presence_reach_clients_of_the_other_thread) {
  const std::string thread = R"({"threadId":")" + thread_ + '"';
  for (auto& chatter : chatters_) chatter->Ask("thread.open", thread + "}");
  chatters_[0]->Ask("typing.set", thread + R"(,"typing":true})");
  for (size_t i = 1; i < kClients; ++i) chatters_[i]->AwaitEvent("typing", chatters_[0]->name());
  chatters_[0]->Leave();
  for (size_t i = 1; i < kClients; ++i) chatters_[i]->AwaitEvent("presence", chatters_[0]->name());
}

}  // namespace
}  // namespace parley::gateway_test
