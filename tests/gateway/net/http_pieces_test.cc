// Bodies in pieces, in both directions: order, bounds, slow peers and early ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "gateway/net/transport.h"
#include "tests/gateway/transport_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

using gateway::BodyPiece;
using gateway::TransportSettings;
using Then = gateway::BodyPiece::Then;

// The events of one request's body. Guarded by the server's lock.
struct Received {
  std::shared_ptr<gateway::HttpExchange> exchange;
  std::string bytes;
  size_t count = 0, largest = 0;
  int ends = 0, gone = 0, destroyed = 0;
};

class Collector final : public gateway::BodyReceiver {
 public:
  Collector(TestServer* server, std::shared_ptr<Received> received)
      : server_(server), received_(std::move(received)) {}
  ~Collector() override {
    server_->Note([&] { ++received_->destroyed; });
  }
  void OnPiece(std::string_view piece) override {
    server_->Note([&] {
      received_->bytes += piece;
      received_->count += piece.size();
      received_->largest = std::max(received_->largest, piece.size());
    });
    if (on_piece) on_piece();
  }
  void OnEnd() override {
    server_->Note([&] { ++received_->ends; });
    received_->exchange->Respond({200, {}, std::to_string(received_->count)});
    received_->exchange.reset();
  }
  void OnGone() override {
    server_->Note([&] { ++received_->gone; });
    received_->exchange.reset();
  }
  std::function<void()> on_piece;

 private:
  TestServer* server_;
  const std::shared_ptr<Received> received_;
};

class HttpPieces : public ::testing::Test {
 protected:
  void Start(TransportSettings settings = {}) {
    settings.bodies = bodies_;
    server_ = std::make_unique<TestServer>(settings);
    server_->on_pieces = [this](std::shared_ptr<gateway::HttpExchange> exchange) {
      auto received = std::make_shared<Received>();
      received->exchange = std::move(exchange);
      auto collector = std::make_unique<Collector>(server_.get(), received);
      if (on_piece_) collector->on_piece = [this, received] { on_piece_(*received); };
      server_->Note([&] { all_.push_back(received); });
      return collector;
    };
    ASSERT_TRUE(client_.Dial(server_->port()));
  }
  void TearDown() override {
    if (server_) server_->Destroy();
  }
  static std::string Head(const std::string& length) {
    return "POST /pieces HTTP/1.1\r\nHost: a\r\n" +
           (length.empty() ? "Transfer-Encoding: chunked" : "Content-Length: " + length) + "\r\n\r\n";
  }
  bool Await(const std::function<bool(const Received&)>& condition) {
    return server_->Await([&] { return !all_.empty() && condition(*all_.back()); });
  }

  const std::shared_ptr<gateway::BodyBudget> bodies_ = std::make_shared<gateway::BodyBudget>(100'000);
  std::function<void(Received&)> on_piece_;
  std::vector<std::shared_ptr<Received>> all_;
  std::unique_ptr<TestServer> server_;
  WsTestClient client_;
};

TEST_F(HttpPieces, ABodyLargerThanTheBudgetArrivesInOrderAndTheConnectionStays) {
  Start();
  std::string body;
  while (body.size() < kLargeBodyBytes) body += std::to_string(body.size()) + " ";
  body.resize(kLargeBodyBytes);
  client_.SendRaw(Head(std::to_string(body.size())) + body);
  EXPECT_EQ(client_.ReadResponse().body, std::to_string(body.size()));
  client_.SendRaw(Head("") + "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n" + Head("0") + Head("") + "0\r\n\r\n");
  EXPECT_EQ(client_.ReadResponse().body, "11");
  EXPECT_EQ(client_.ReadResponse().body, "0");
  EXPECT_EQ(client_.ReadResponse().body, "0");
  client_.SendRaw("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(client_.ReadResponse().body, "GET /x ");
  ASSERT_TRUE(server_->Await([&] { return all_.size() == 4 && all_.back()->destroyed == 1; }));
  EXPECT_TRUE(all_[0]->bytes == body);
  EXPECT_LE(all_[0]->largest, 4096u);
  EXPECT_EQ(all_[1]->bytes, "hello world");
  for (const auto& one : all_) EXPECT_EQ(one->ends + 10 * one->gone + 100 * one->destroyed, 101);
  EXPECT_EQ(bodies_->held(), 0u);
}

TEST_F(HttpPieces, TheBoundOfTheRouteIsEnforcedAtTheHeadOrInTheMiddle) {
  Start();
  client_.SendRaw(Head(std::to_string(kLargeBodyBytes + 1)));
  EXPECT_EQ(client_.ReadResponse().status, 413);
  EXPECT_TRUE(all_.empty());
  ASSERT_TRUE(client_.Dial(server_->port()));
  client_.SendRaw(Head("") + "5\r\nhello\r\n");
  ASSERT_TRUE(Await([](const Received& received) { return received.count == 5; }));
  client_.SendRaw("7ffffc\r\n");  // one byte too many
  EXPECT_EQ(client_.ReadResponse().status, 413);
  ASSERT_TRUE(Await([](const Received& received) { return received.gone == 1 && received.destroyed == 1; }));
  EXPECT_EQ(all_.back()->ends, 0);
}

TEST_F(HttpPieces, APausedBodyStaysInTheKernelAndItsDeadlineIsPaused) {
  TransportSettings settings;
  settings.handshake_timeout_ms = 60;
  on_piece_ = [paused = false](Received& received) mutable {
    if (!std::exchange(paused, true)) received.exchange->PauseBody(true);
  };
  Start(settings);
  const std::string request = Head("4000000") + std::string(4'000'000, 'x');
  const size_t before = HeapBytes();
  std::thread sender([&] { client_.SendRaw(request); });
  ASSERT_TRUE(Await([](const Received& received) { return received.count > 0; }));
  // Another peer, which does miss its deadline, shows that the first one's has passed as well.
  WsTestClient late;
  ASSERT_TRUE(late.Dial(server_->port()));
  late.SendRaw("P");
  ASSERT_TRUE(late.AwaitEnd());
  server_->TurnLoop(10);
  server_->OnLoop([&] {
    EXPECT_LE(all_.back()->count, 4096u);
    EXPECT_LT(HeapBytes(), before + kNoise);
    all_.back()->exchange->PauseBody(false);
  });
  EXPECT_EQ(client_.ReadResponse().body, "4000000");
  sender.join();
}

TEST_F(HttpPieces, APeerThatLeavesOrStallsEndsItOnce) {
  TransportSettings settings;
  settings.handshake_timeout_ms = 50;
  Start(settings);
  const auto gone = [](const Received& received) { return received.gone == 1 && received.destroyed == 1; };
  client_.SendRaw(Head("1000") + "some");
  ASSERT_TRUE(client_.AwaitEnd()) << "it stalls";
  ASSERT_TRUE(Await(gone));
  for (const bool resets : {false, true}) {
    ASSERT_TRUE(client_.Dial(server_->port()));
    client_.SendRaw(Head("1000") + "some");
    ASSERT_TRUE(server_->Await([&] { return all_.size() == (resets ? 3u : 2u) && all_.back()->count == 4; }));
    resets ? client_.Reset() : client_.ShutdownWrite();
    ASSERT_TRUE(Await(gone));
  }
  for (const auto& one : all_) EXPECT_EQ(one->ends, 0);
  client_.Close();
  EXPECT_TRUE(server_->AwaitOpen(0));
}

TEST_F(HttpPieces, AnEarlyAnswerIsTheLastAndAPeerThatSendsItAllReadsIt) {
  on_piece_ = [](Received& received) {
    if (received.exchange) received.exchange->Respond({422, {}, "not this"});
    received.exchange.reset();
  };
  Start();
  client_.SendRaw(Head("3000000") + std::string(3'000'000, 'x'));
  const WsResponse response = client_.ReadResponse();
  EXPECT_EQ(response.status, 422);
  EXPECT_EQ(response.Header("Connection"), "close");
  EXPECT_TRUE(client_.AwaitEnd());
  ASSERT_TRUE(Await([](const Received& received) { return received.destroyed == 1; }));
  EXPECT_EQ(all_.back()->ends + all_.back()->gone, 0);
  EXPECT_LE(all_.back()->count, 4096u) << "nothing more is handed over";
}

TEST_F(HttpPieces, APeerRefusedAtTheHeadSendsNoBody) {
  Start();
  server_->on_pieces = [](std::shared_ptr<gateway::HttpExchange> exchange) {
    exchange->Respond({401, {}, "who?"});
    return nullptr;
  };
  client_.SendRaw("POST /pieces HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
  EXPECT_EQ(client_.ReadResponse().status, 401) << "and no 100";
  EXPECT_TRUE(client_.AwaitEnd());
  ASSERT_TRUE(client_.Dial(server_->port()));
  client_.SendRaw(Head("0") + "GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(client_.ReadResponse().status, 401);
  EXPECT_EQ(client_.ReadResponse().body, "GET /x ") << "there was nothing to read";
}

TEST_F(HttpPieces, AnExchangeThatIsDroppedIsAnswered500) {
  Start();
  server_->on_pieces = [](std::shared_ptr<gateway::HttpExchange>) { return nullptr; };
  client_.SendRaw(Head("5"));
  EXPECT_EQ(client_.ReadResponse().status, 500);
}

// --- answers ---

// A source of `pieces` pieces of `size` bytes each, which counts how often it was asked.
struct Made {
  size_t asked = 0, pieces = 0, size = 0;
  int destroyed = 0;
  bool by_hand = false;  // the test supplies pieces with `give`
  std::function<void(BodyPiece)> give;
  Then end = Then::kLast;
};
class PieceMaker final : public gateway::BodySource {
 public:
  PieceMaker(TestServer* server, std::shared_ptr<Made> made) : server_(server), made_(std::move(made)) {}
  ~PieceMaker() override {
    server_->Note([&] { ++made_->destroyed; });
  }
  void Next(std::function<void(BodyPiece)> give) override {
    server_->Note([&] {
      ++made_->asked;
      if (made_->by_hand) made_->give = give;
    });
    if (made_->by_hand) return;
    const bool last = made_->asked == made_->pieces;
    give({std::string(made_->size, static_cast<char>('a' + made_->asked % 26)),
          last ? made_->end : Then::kMore});
    give({"twice", Then::kMore});  // has no effect
  }

 private:
  TestServer* server_;
  const std::shared_ptr<Made> made_;
};

class HttpSource : public ::testing::Test {
 protected:
  HttpSource() {
    server_.on_http = [this](const std::shared_ptr<gateway::HttpExchange>& exchange) {
      if (exchange->request().target != "/made") return false;
      gateway::HttpResponse response;
      response.source = std::make_shared<PieceMaker>(&server_, made_);
      response.length = length_;
      exchange->Respond(std::move(response));
      return true;
    };
  }
  ~HttpSource() override { server_.Destroy(); }
  void Ask(const std::string& more = "", const std::string& start = "GET /made HTTP/1.1") {
    ASSERT_TRUE(client_.Dial(server_.port()));
    client_.SendRaw(start + "\r\nHost: a\r\n\r\n" + more);
  }
  std::string Whole() const {
    std::string out;
    for (size_t i = 1; i <= made_->pieces; ++i)
      out += std::string(made_->size, static_cast<char>('a' + i % 26));
    return out;
  }
  bool AwaitDestroyed(int times) {
    return server_.Await([&] { return made_->destroyed == times; });
  }

  const std::shared_ptr<Made> made_ = std::make_shared<Made>();
  std::optional<uint64_t> length_;
  TestServer server_{[] {
    TransportSettings settings;
    settings.handshake_timeout_ms = 200;
    return settings;
  }()};
  WsTestClient client_;
};

const std::string kNext = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";

TEST_F(HttpSource, IsSentInChunksOrWithItsLengthAndTheConnectionStays) {
  made_->pieces = 40;
  made_->size = 65'536;
  for (const bool known : {false, true}) {
    made_->asked = 0;
    length_ = known ? std::optional<uint64_t>(40 * 65'536) : std::nullopt;
    Ask(kNext);
    const WsResponse response = client_.ReadResponse();
    EXPECT_EQ(response.Header("Transfer-Encoding"), known ? "" : "chunked");
    EXPECT_EQ(response.Header("Content-Length"), known ? "2621440" : "");
    EXPECT_TRUE(response.body == Whole());
    EXPECT_EQ(client_.ReadResponse().body, "GET /next ");
    EXPECT_TRUE(AwaitDestroyed(known ? 2 : 1));
  }
}

TEST_F(HttpSource, OfUnknownLengthEndsTheConnectionOfAnOldPeer) {
  made_->pieces = 3;
  made_->size = 1000;
  Ask(kNext, "GET /made HTTP/1.0\r\nConnection: keep-alive");
  const WsResponse response = client_.ReadResponse();
  EXPECT_EQ(response.Header("Connection"), "close");
  EXPECT_EQ(response.body, Whole());
}

TEST_F(HttpSource, IsNotAskedForHeadOrWithoutContent) {
  made_->pieces = 3;
  made_->size = 1000;
  length_ = 3000;
  Ask(kNext, "HEAD /made HTTP/1.1");
  EXPECT_EQ(client_.ReadResponse(true).Header("Content-Length"), "3000");
  EXPECT_EQ(client_.ReadResponse().body, "GET /next ");
  length_ = 0;
  Ask(kNext);
  EXPECT_EQ(client_.ReadResponse().body, "");
  EXPECT_EQ(client_.ReadResponse().body, "GET /next ");
  EXPECT_TRUE(AwaitDestroyed(2));
  EXPECT_EQ(made_->asked, 0u);
}

TEST_F(HttpSource, IsAskedForOnePieceAheadOfAPeerThatDoesNotRead) {
  made_->pieces = 1000;
  made_->size = 65'536;
  client_.set_receive_buffer_bytes(4096);
  const size_t before = HeapBytes();
  Ask();
  ASSERT_TRUE(server_.Await([&] { return made_->asked > 0; }));
  server_.TurnLoop(50);
  server_.OnLoop([&] {
    // The kernel buffers some megabytes at most for both ends.
    EXPECT_LT(made_->asked, 200u);
    EXPECT_LT(HeapBytes(), before + 2 * 65'536 + kNoise);
  });
  EXPECT_TRUE(AwaitDestroyed(1)) << "a peer that reads nothing is dropped";
  EXPECT_LT(made_->asked, 1000u);
}

TEST_F(HttpSource, AnEarlyEndOfEitherSideIsDetected) {
  made_->pieces = 3;
  made_->size = 1000;
  made_->end = Then::kFailed;
  Ask();
  EXPECT_FALSE(client_.ReadResponse().body == Whole());
  EXPECT_TRUE(client_.AwaitEnd());
  for (const uint64_t wrong : {2999u, 3001u}) {
    server_.OnLoop([&] {
      made_->end = Then::kLast;
      made_->asked = 0;
      length_ = wrong;
    });
    Ask(kNext);
    EXPECT_NE(client_.ReadRaw(1'000'000).find("Content-Length: " + std::to_string(wrong)), std::string::npos);
  }
  EXPECT_TRUE(AwaitDestroyed(3));
  server_.OnLoop([&] {
    made_->by_hand = true;
    length_.reset();
  });
  Ask();
  ASSERT_TRUE(server_.Await([&] { return made_->give != nullptr; }));
  client_.Reset();
  server_.OnLoop([&] { made_->give({std::string(100'000, 'x'), Then::kMore}); });
  EXPECT_TRUE(AwaitDestroyed(4));
  server_.OnLoop([&] { made_->give({"too late", Then::kMore}); });
  EXPECT_TRUE(server_.AwaitOpen(0));
}

TEST_F(HttpSource, MayBeSlowAndIsFinishedInADrain) {
  made_->by_hand = true;
  Ask();
  ASSERT_TRUE(server_.Await([&] { return made_->give != nullptr; }));
  const auto give = [&](const std::string& bytes, Then then) {
    server_.OnLoop([&] { std::exchange(made_->give, nullptr)({bytes, then}); });
    return then == Then::kLast || server_.Await([&] { return made_->give != nullptr; });
  };
  ASSERT_TRUE(give("one", Then::kMore));
  ASSERT_TRUE(give("", Then::kMore)) << "an empty piece is not the end";
  // Longer than a peer may take to read; another peer's deadline shows when.
  WsTestClient late;
  ASSERT_TRUE(late.Dial(server_.port()));
  late.SendRaw("P");
  ASSERT_TRUE(late.AwaitEnd());
  server_.OnLoop([&] { server_.transport().StopKeepingAlive(); });
  ASSERT_TRUE(give("two", Then::kMore));
  ASSERT_TRUE(give("", Then::kLast));
  EXPECT_EQ(client_.ReadResponse().body, "onetwo");
  EXPECT_TRUE(client_.AwaitEnd()) << "in a drain it was the last";
}

}  // namespace
}  // namespace parley::gateway_test
