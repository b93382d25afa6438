// No client can exhaust the server's memory by asking: pages end at limits.maxPageBytes, and the total held
// for clients that do not read is bounded. Measured in bytes, not in time.
#include "gateway/net/reader_budget.h"
#include "gateway/app/node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "gateway/net/transport.h"
#include "protocol/json_size.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/gateway/live_server_support.h"
#include "tests/gateway/transport_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

using gateway::MakeFrame;
using gateway::ReaderBudget;

// --- pages

class Pages : public testing::TestWithParam<protocol::Encoding> {
 protected:
  static constexpr size_t kPage = 64 * 1024;
  static constexpr int kMessages = 60;
  Pages() {
    thread_ = world_.NewThread(ana_, "ana", "bob");
    for (int i = 0; i < kMessages; ++i) world_.Say(ana_, thread_, std::string(4000, i % 2 ? '"' : 'x'));
    ana_.TakeAll();
  }
  // The size as JSON, whichever encoding was used.
  static size_t JsonBytes(const Frame& frame) { return frame.Json("ok").size(); }

  World world_{[] {
    gateway::Config config = DemoConfig();
    config.max_page_bytes = kPage;
    return config;
  }()};
  FakeClient ana_ = world_->Join("ana", GetParam());
  std::string thread_;
};
INSTANTIATE_TEST_SUITE_P(Encodings, Pages,
                         testing::Values(protocol::Encoding::kJson, protocol::Encoding::kMsgpack),
                         EncodingName);

TEST_P(Pages, message_list_ends_at_the_byte_limit_and_its_cursor_continues_both_ways) {
  for (const char* direction : {"before", "after"}) {
    std::set<std::string> seen;
    std::string from = R"(,"limit":200)";
    if (std::string(direction) == "after") from += R"(,"after":"msg_00000000000000000000000000")";
    for (size_t pages = 0; pages < 20; ++pages) {
      const Frame page = ana_.Ask("message.list", R"({"threadId":")" + thread_ + "\"" + from + "}");
      ASSERT_TRUE(page.ok()) << page.Json();
      EXPECT_LE(JsonBytes(page), kPage);
      for (size_t i = 0; i < page.Size("ok.messages"); ++i)
        EXPECT_TRUE(seen.insert(page.Text("ok.messages." + std::to_string(i) + ".messageId")).second);
      if (!page.At("ok.cursor")->as_text()) break;
      EXPECT_GT(JsonBytes(page), kPage - 12'000) << "not sooner than need be";
      from = R"(,"limit":200,")" + std::string(direction) + R"(":")" + page.Text("ok.cursor") + "\"";
    }
    EXPECT_EQ(seen.size(), static_cast<size_t>(kMessages)) << direction;
  }
}

TEST_P(Pages, thread_changes_ends_at_the_byte_limit_with_more) {
  int64_t after = 0;
  int changes = 0;
  bool more = true;
  for (int pages = 0; more && pages < 20; ++pages) {
    const Frame page =
        ana_.Ask("thread.changes", Args({{"threadId", thread_}, {"afterSeq", after}, {"limit", 200}}));
    EXPECT_LE(JsonBytes(page), kPage);
    const size_t size = page.Size("ok.changes");
    changes += static_cast<int>(size);
    after = page.Int("ok.changes." + std::to_string(size - 1) + ".seq");
    more = page.Bool("ok.more");
  }
  EXPECT_EQ(changes, 3 + kMessages) << "thread.created, two members, the messages";
}

TEST_P(Pages, thread_open_is_at_most_two_pages_and_resets_if_the_changes_do_not_fit) {
  const Frame open =
      ana_.Ask("thread.open", Args({{"threadId", thread_}, {"limit", 200}, {"afterSeq", 3 + kMessages - 8}}));
  EXPECT_LE(JsonBytes(open), 2 * kPage);
  EXPECT_GT(JsonBytes(open), kPage);
  EXPECT_EQ(open.Size("ok.changes"), 8u);
  EXPECT_TRUE(open.At("ok.cursor")->as_text());
  const Frame much = ana_.Ask("thread.open", Args({{"threadId", thread_}, {"limit", 200}, {"afterSeq", 0}}));
  EXPECT_LE(JsonBytes(much), 2 * kPage);
  EXPECT_TRUE(much.Bool("ok.reset"));
}

TEST_P(Pages, message_history_ends_at_the_byte_limit_and_its_cursor_continues) {
  const std::string id = world_.Say(ana_, thread_, "first").Text("ok.messageId");
  constexpr size_t kEdits = 30;
  for (size_t i = 0; i < kEdits; ++i) {
    const std::string body = std::string(4000, '"') + std::to_string(i);
    ASSERT_TRUE(
        ana_.Ask("message.edit", Args({{"threadId", thread_}, {"messageId", id}, {"body", body}})).ok());
  }
  FakeClient mod = world_->Connect({GetParam(), ""});
  ASSERT_TRUE(mod.Hello(world_->Token("mod", "moderator")).ok());
  size_t versions = 0, pages = 0;
  std::string cursor;
  do {
    std::string args = R"({"threadId":")" + thread_ + R"(","messageId":")" + id + R"(","limit":200)";
    if (!cursor.empty()) args += R"(,"cursor":")" + cursor + "\"";
    const Frame page = mod.Ask("message.history", args + "}");
    ASSERT_TRUE(page.ok()) << page.Json();
    EXPECT_LE(JsonBytes(page), kPage);
    versions += page.Size("ok.versions");
    cursor = page.At("ok.cursor")->as_text() ? page.Text("ok.cursor") : "";
  } while (!cursor.empty() && ++pages < 20);
  EXPECT_EQ(versions, kEdits);
  EXPECT_GT(pages, 2u);
}

TEST_P(Pages, catch_up_reads_one_page_at_a_time_and_sends_everything) {
  FakeClient bob = world_->Connect({GetParam(), ""});
  const std::string resume =
      R"("resume":{"epoch":")" + world_.table().identity().epoch + R"(","threads":{")" + thread_ + R"(":0}})";
  EXPECT_TRUE(bob.Hello(world_->Token("bob"), resume).ok());
  world_->Settle();
  size_t messages = 0;
  for (const Frame& event : bob.TakeEvents()) messages += event.ev() == "message.created";
  EXPECT_EQ(messages, static_cast<size_t>(kMessages));
}

// --- the budget

TEST(ReaderBudget, ASharedFrameCountsOnceUntilItsLastReaderHasReadIt) {
  const auto readers = std::make_shared<ReaderBudget>(1000);
  auto frame = MakeFrame(std::string(600, 'x'), false, readers);
  const size_t held = readers->held();
  EXPECT_EQ(held, gateway::FrameBytes(*frame));
  auto shared = frame;
  EXPECT_EQ(readers->held(), held);
  EXPECT_EQ(readers->Lacks(300), 0u);
  EXPECT_EQ(readers->Lacks(600), held + 600 - 1000);
  frame.reset();
  EXPECT_EQ(readers->held(), held);
  shared.reset();
  EXPECT_EQ(readers->held(), 0u);
}

// Waits for the loop to end turns: all tasks that a test posts may run in one turn, and only the end of a
// turn flushes and makes room.
class Turns {
 public:
  explicit Turns(TestServer& server) : server_(server) {
    server_.OnLoop([&server, ended = ended_] {
      server.transport().OnTurnEnd([&server, ended] { server.Note([&] { ++*ended; }); });
    });
  }
  void End(int turns) {
    for (; turns > 0; --turns) {
      int before = 0;
      server_.OnLoop([&] { before = *ended_; });
      EXPECT_TRUE(server_.Await([&] { return *ended_ > before; }));
    }
  }

 private:
  TestServer& server_;
  const std::shared_ptr<int> ended_ = std::make_shared<int>(0);
};

TEST(ReaderBudget, OverTheBoundTheLargestReadersAreDroppedAndOthersContinue) {
  gateway::TransportSettings settings;
  settings.readers = std::make_shared<ReaderBudget>(size_t{16} << 20);
  settings.exempt_loopback = true;
  TestServer server(settings);
  std::vector<WsTestClient> slow(8);
  for (auto& client : slow) {
    client.set_receive_buffer_bytes(4096);
    ASSERT_EQ(client.Connect(server.port()).status, 101);
  }
  WsTestClient reads;
  ASSERT_EQ(reads.Connect(server.port(), "/echo").status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(8).connection != nullptr; }));
  Turns turns(server);
  // Far more than the kernel accepts; the first client holds the most.
  for (int round = 0; round < 12; ++round) {
    server.OnLoop([&] {
      for (size_t i = 0; i < slow.size(); ++i) {
        if (!server.session(i).connection) continue;
        const size_t bytes = (size_t{1} << 20) - i * 1000;
        server.session(i).connection->Send(MakeFrame(std::string(bytes, 'x'), true, settings.readers));
      }
    });
    turns.End(2);
    EXPECT_LE(settings.readers->held(), settings.readers->capacity() + (size_t{8} << 20))
        << "what one turn adds";
  }
  EXPECT_GT(server.Counts().evicted, 0u);
  EXPECT_TRUE(server.Await([&] { return server.session(0).closed == 1; }));
  EXPECT_EQ(server.See(8).closed, 0);
  reads.SendText("still here");
  EXPECT_EQ(reads.ReadData().payload, "still here");
}

TEST(ReaderBudget, UnreadHttpAnswersCountToo) {
  gateway::TransportSettings settings;
  settings.readers = std::make_shared<ReaderBudget>(size_t{16} << 20);
  TestServer server(settings);
  Turns turns(server);
  std::vector<WsTestClient> clients(20);
  for (size_t i = 0; i < clients.size(); ++i) {
    clients[i].set_receive_buffer_bytes(4096);
    ASSERT_TRUE(clients[i].Dial(server.port()));
    clients[i].SendRaw("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
    ASSERT_TRUE(server.Await([&] { return server.kept().size() == i + 1; }));
    server.OnLoop([&] { server.kept()[i]->Respond({200, {}, std::string(6 << 20, 'r')}); });
    turns.End(2);
    EXPECT_LE(settings.readers->held(), settings.readers->capacity()) << i;
  }
  EXPECT_GT(server.Counts().evicted, 0u);
  EXPECT_EQ(HttpGet(server.port(), "/small").status, 200);
}

TEST(ReaderBudget, AnAnswerThatFindsNoRoomIsRefusedWith503) {
  gateway::TransportSettings settings;
  settings.readers = std::make_shared<ReaderBudget>(size_t{1} << 20);
  TestServer server(settings);
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  server.OnLoop([&] { server.kept()[0]->Respond({200, {}, std::string(2 << 20, 'r')}); });
  const WsResponse response = client.ReadResponse();
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.Header("Retry-After"), "1");
}

TEST(ReaderBudget, AReadThatFindsNoRoomIsUnavailableAndWritesContinue) {
  gateway::Config config = DemoConfig();
  config.reader_bytes = 1 << 20;  // less than one reply needs
  World world(config);
  FakeClient ana = world->Join("ana");
  const std::string thread = world.NewThread(ana, "ana", "bob");
  for (const char* op : {"thread.get", "message.list", "thread.open"}) {
    const Frame refused = ana.Ask(op, Args({{"threadId", thread}}));
    EXPECT_EQ(refused.error(), "UNAVAILABLE") << op;
    EXPECT_GT(refused.Int("error.retryAfterMs"), 0) << op;
  }
  EXPECT_TRUE(world.Say(ana, thread, "still").ok());
  EXPECT_EQ(ana.close_code(), 0);
}

// --- with sessions and rows

class ManyWhoNeverRead : public testing::Test {
 protected:
  static constexpr size_t kReaderBytes = size_t{64} << 20;
  static constexpr size_t kBody = 32'000;
  LiveServer server_{[] {
    LiveSettings settings;
    settings.config.reader_bytes = kReaderBytes;
    settings.config.max_body_bytes = kBody;
    settings.config.max_page_bytes = 4 << 20;  // more than the kernel accepts at once
    settings.config.outbox_bytes = 16 << 20;
    settings.config.max_sessions_per_user = 1000;
    settings.transport.exempt_loopback = true;
    return settings;
  }()};

  void SetUp() override {
    Hello(stranger_);
    thread_ =
        Ask(stranger_, "thread.create", R"({"kind":"project","buyerUserId":"ana","sellerUserId":"bob"})")
            .Text("ok.thread.threadId");
    for (int i = 0; i < 130; ++i) ASSERT_TRUE(Say(i).ok());  // more than a page
  }
  Frame Say(int i) {
    return Ask(stranger_, "message.send",
               Args({{"threadId", thread_},
                     {"clientId", "c" + std::to_string(i)},
                     {"type", "text"},
                     {"body", std::string(kBody, 'x')}}));
  }
  std::string AskForPage() const { return Args({{"threadId", thread_}, {"limit", 200}}); }
  void Hello(WsTestClient& client) {
    ASSERT_EQ(client.Connect(server_.port(), "/v1/ws", {"parley.v1.json"}).status, 101);
    EXPECT_TRUE(
        Ask(client, "session.hello", Args({{"token", server_.Token("ana")}, {"deliver", "open"}})).ok());
  }
  Frame Ask(WsTestClient& client, const std::string& op, const std::string& args) {
    const int id = ++last_id_;
    client.SendText(R"({"id":)" + std::to_string(id) + R"(,"op":")" + op + R"(","args":)" + args + "}");
    for (;;) {
      const WsFrame read = client.ReadData();
      if (!read.ok() || read.is_close()) return {};
      Frame frame(protocol::Encoding::kJson, read.payload);
      if (frame.reply_to() == static_cast<uint32_t>(id)) return frame;
    }
  }
  void ExpectBounded() {
    size_t held = 0;
    server_.OnLoop([&] { held = server_.node().readers()->held(); });
    EXPECT_LE(held, kReaderBytes);
    most_ = std::max(most_, held);
  }

  WsTestClient stranger_;
  std::string thread_;
  int last_id_ = 0;
  size_t most_ = 0;
};

TEST_F(ManyWhoNeverRead, sessions_stay_under_the_bound_and_another_client_is_answered) {
  std::vector<WsTestClient> greedy(40);
  for (size_t i = 0; i < greedy.size(); ++i) {
    greedy[i].set_receive_buffer_bytes(4096);
    Hello(greedy[i]);
    for (int n = 0; n < 8; ++n)
      greedy[i].SendText(R"({"id":)" + std::to_string(1000 + n) + R"(,"op":"message.list","args":)" +
                         AskForPage() + "}");
    EXPECT_TRUE(Say(1000 + static_cast<int>(i)).ok());
    ExpectBounded();
  }
  EXPECT_GT(most_, kReaderBytes / 2) << "the test asks for enough";
  EXPECT_GT(server_.Metric("parley_readers_evicted_total"), 0);
  EXPECT_TRUE(Ask(stranger_, "message.list", AskForPage()).ok()) << "a client that reads gets its page";
}

TEST_F(ManyWhoNeverRead, http_requests_stay_under_the_bound) {
  const std::string body = AskForPage();
  std::vector<WsTestClient> greedy(60);
  for (size_t i = 0; i < greedy.size(); ++i) {
    greedy[i].set_receive_buffer_bytes(4096);
    ASSERT_TRUE(greedy[i].Dial(server_.port()));
    greedy[i].SendRaw("POST /v1/ops/message.list HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " +
                      server_.Token("ana") + "\r\nContent-Length: " + std::to_string(body.size()) +
                      "\r\n\r\n" + body);
    EXPECT_TRUE(Say(1000 + static_cast<int>(i)).ok());
    ExpectBounded();
  }
  EXPECT_GT(most_, kReaderBytes / 2) << "the test asks for enough";
  EXPECT_TRUE(Ask(stranger_, "message.list", AskForPage()).ok());
}

}  // namespace
}  // namespace parley::gateway_test
