// Input received before the peer's close is processed before the close is answered, so a client that sends,
// closes at once and sees a clean close may discard its copy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "tests/gateway/fake_server_support.h"
#include "tests/gateway/live_server_support.h"
#include "tests/gateway/transport_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

using gateway::Connection;
using gateway::MakeFrame;
using gateway::TransportSettings;

const std::string kClose = ClientFrame(8, std::string("\x03\xe8", 2));  // 1000

// Sends a word and answers the close, like a session that has processed its input.
void Conclude(TestServer& server, const std::string& word) {
  server.OnLoop([&] {
    Connection* connection = server.session(0).connection;
    connection->Send(MakeFrame(word, false));
    connection->AnswerEnd();
    connection->Send(MakeFrame("after the end", false));
  });
}

TEST(TransportEnd, APeersCloseIsAnsweredOnlyAfterItsInputWasProcessed) {
  TestServer server;
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port(), "/patient").status, 101);
  client.SendRaw(ClientFrame(1, "last words") + kClose + ClientFrame(1, "behind it"));
  ASSERT_TRUE(server.Await([&] { return server.session(0).input_ends == 1; }));
  server.TurnLoop(5);
  EXPECT_EQ(server.See(0).closed, 0);
  EXPECT_EQ(server.See(0).frame_count, 1u);
  Conclude(server, "done");
  EXPECT_EQ(client.ReadFrame().payload, "done");
  EXPECT_EQ(client.ReadFrame().close_code(), 1000);
  EXPECT_TRUE(client.AwaitEnd());
  EXPECT_TRUE(server.Await([&] { return server.session(0).closed == 1; }));
  EXPECT_EQ(server.See(0).input_ends, 1);
}

TEST(TransportEnd, AHalfClosedPeerReadsTheAnswersToItsInput) {
  TestServer server;
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port(), "/patient").status, 101);
  client.SendRaw(ClientFrame(1, "last words"));
  client.ShutdownWrite();
  ASSERT_TRUE(server.Await([&] { return server.session(0).input_ends == 1; }));
  server.TurnLoop(5);
  EXPECT_EQ(server.See(0).closed, 0);
  Conclude(server, std::string(3'000'000, 'd'));  // more than the socket accepts at once
  EXPECT_EQ(client.ReadFrame().payload.size(), 3'000'000u);
  EXPECT_TRUE(client.AwaitEnd());
  EXPECT_TRUE(server.Await([&] { return server.session(0).closed == 1; }));
}

TEST(TransportEnd, BytesReadBeforeAPauseAreDeliveredBeforeTheEnd) {
  TestServer server;
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port(), "/patient").status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  server.OnLoop([&] { server.session(0).connection->PauseReading(true); });
  client.SendRaw(ClientFrame(1, "one") + ClientFrame(1, "two") + kClose);
  client.ShutdownWrite();
  server.TurnLoop(5);
  EXPECT_EQ(server.See(0).input_ends, 0);
  server.OnLoop([&] { server.session(0).connection->PauseReading(false); });
  ASSERT_TRUE(server.Await([&] { return server.session(0).input_ends == 1; }));
  EXPECT_EQ(server.See(0).frame_count, 2u);
  Conclude(server, "done");
  EXPECT_EQ(client.ReadFrame().payload, "done");
  EXPECT_EQ(client.ReadFrame().close_code(), 1000);
}

TEST(TransportEnd, AFramingErrorIsAnsweredAfterTheInputBeforeIt) {
  TestServer server;
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port(), "/patient").status, 101);
  client.SendRaw(ClientFrame(1, "sound") + ClientFrame(1, "\xff"));
  ASSERT_TRUE(server.Await([&] { return server.session(0).input_ends == 1; }));
  EXPECT_EQ(server.See(0).frame_count, 1u);
  Conclude(server, "done");
  EXPECT_EQ(client.ReadFrame().payload, "done");
  EXPECT_EQ(client.ReadFrame().close_code(), 1007);
}

TEST(TransportEnd, AnErrorInTheInputBeforeTheCloseSetsTheCodeOfTheAnswer) {
  TestServer server;
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port(), "/patient").status, 101);
  client.SendRaw(ClientFrame(1, "nonsense") + kClose);
  ASSERT_TRUE(server.Await([&] { return server.session(0).input_ends == 1; }));
  server.OnLoop([&] { server.session(0).connection->Close(4400, "misuse", false); });
  const WsFrame close = client.ReadFrame();
  EXPECT_EQ(close.close_code(), 4400);
  EXPECT_EQ(close.close_reason(), "misuse");
  EXPECT_TRUE(client.AwaitEnd());
}

TEST(TransportEnd, AnUnansweredCloseDropsTheConnection) {
  TransportSettings settings;
  settings.close_timeout_ms = 50;
  TestServer server(settings);
  std::vector<WsTestClient> clients(2);
  for (auto& client : clients) ASSERT_EQ(client.Connect(server.port(), "/patient").status, 101);
  clients[0].SendRaw(kClose);
  clients[1].ShutdownWrite();
  EXPECT_TRUE(server.Await([&] { return server.session(0).closed == 1 && server.session(1).closed == 1; }));
  for (auto& client : clients) EXPECT_FALSE(client.ReadToClose().is_close());
}

TEST(TransportEnd, AnHttpPeerThatHalfClosesAfterItsRequestIsAnswered) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  client.ShutdownWrite();
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  server.TurnLoop(5);
  server.OnLoop([&] { server.kept()[0]->Respond({200, {}, "here"}); });
  EXPECT_EQ(client.ReadResponse().body, "here");
}

// --- with sessions and executor

constexpr int kSockets =
    260;  // more than the loop handles in one turn, so it sees the closes before the work

class ManyThatSendAndLeave : public testing::Test {
 protected:
  // Every client sends `ending` after its message before the server reads any of them.
  void SendAndEnd(const std::function<void(WsTestClient&)>& ending) {
    std::promise<void> go;
    server_.transport().Post([ready = go.get_future().share()] { ready.wait(); });
    for (size_t i = 0; i < clients_.size(); ++i) {
      clients_[i].SendRaw(ClientFrame(1, R"({"op":"message.send","args":)" +
                                             Args({{"threadId", thread_},
                                                   {"clientId", "c" + std::to_string(i)},
                                                   {"type", "text"},
                                                   {"body", "last words"}}) +
                                             "}"));
      ending(clients_[i]);
    }
    go.set_value();
  }
  int64_t LastMessage() {
    WsTestClient reader;
    Hello(reader);
    return Ask(reader, "thread.get", Args({{"threadId", thread_}})).Int("ok.thread.lastMsgNo");
  }

  void SetUp() override {
    WsTestClient first;
    Hello(first);
    const std::string args = R"({"kind":"project","buyerUserId":"ana","sellerUserId":"bob"})";
    thread_ = Ask(first, "thread.create", args).Text("ok.thread.threadId");
    for (auto& client : clients_) {
      Hello(client);
    }
  }
  void Hello(WsTestClient& client) {
    ASSERT_EQ(client.Connect(server_.port(), "/v1/ws", {"parley.v1.json"}).status, 101);
    EXPECT_TRUE(
        Ask(client, "session.hello", Args({{"token", server_.Token("ana")}, {"deliver", "open"}})).ok());
  }
  Frame Ask(WsTestClient& client, const std::string& op, const std::string& args) {
    client.SendText(R"({"id":1,"op":")" + op + R"(","args":)" + args + "}");
    for (;;) {
      const WsFrame read = client.ReadData();
      if (!read.ok()) return {};
      Frame frame(protocol::Encoding::kJson, read.payload);
      if (frame.reply_to()) return frame;
    }
  }

  LiveServer server_{[] {
    LiveSettings settings;
    settings.config.max_sessions_per_user = 1000;
    settings.transport.exempt_loopback = true;
    return settings;
  }()};
  std::string thread_;
  std::vector<WsTestClient> clients_{kSockets};
};

TEST_F(ManyThatSendAndLeave, ACleanCloseMeansThatEarlierInputIsStored) {
  SendAndEnd([](WsTestClient& client) { client.SendRaw(kClose); });
  int clean = 0;
  for (auto& client : clients_) clean += client.ReadToClose().close_code() == 1000;
  EXPECT_EQ(clean, kSockets);
  EXPECT_EQ(LastMessage(), kSockets);
}

TEST_F(ManyThatSendAndLeave, TheEndOfAHalfClosedStreamMeansTheSame) {
  SendAndEnd([](WsTestClient& client) { client.ShutdownWrite(); });
  for (auto& client : clients_) EXPECT_EQ(client.ReadToClose().kind, WsFrame::kEnd);
  EXPECT_EQ(LastMessage(), kSockets);
}

}  // namespace
}  // namespace parley::gateway_test
