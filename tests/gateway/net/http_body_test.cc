// Bodies: their largest size, for each route and for all together.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "gateway/net/transport.h"
#include "tests/gateway/transport_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

using gateway::BodyBudget;
using gateway::TransportSettings;

std::string HeadOf(const std::string& target, size_t length) {
  return "POST " + target + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n";
}

TransportSettings WithBudget(size_t bytes) {
  TransportSettings settings;
  settings.bodies = std::make_shared<BodyBudget>(bytes);
  return settings;
}

TEST(HttpBody, TheRouteSetsTheLargestSize) {
  TestServer server;
  const auto post = [&](const std::string& target, size_t bytes) {
    return HttpPost(server.port(), target, std::string(bytes, 'x'));
  };
  EXPECT_EQ(post("/large", kLargeBodyBytes).body, std::to_string(kLargeBodyBytes));
  EXPECT_EQ(post("/large", kLargeBodyBytes + 1).status, 413);
  EXPECT_EQ(post("/larger", 262'144).status, 200);
  EXPECT_EQ(post("/larger", 262'145).status, 413);
}

TEST(HttpBody, ATooLargeBodyIsRefusedBeforeItIsReadAndThePeerReadsTheAnswer) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw(HeadOf("/large", kLargeBodyBytes + 1));
  EXPECT_EQ(client.ReadResponse().status, 413);
  EXPECT_EQ(HttpPost(server.port(), "/large", std::string(2 * kLargeBodyBytes, 'x')).status, 413);
}

TEST(HttpBody, AnAnnouncedLengthTakesNoMemoryUntilTheBytesArrive) {
  TestServer server(WithBudget(size_t{256} << 20));
  constexpr size_t kPeers = 100;
  std::vector<WsTestClient> clients(kPeers);
  const size_t before = HeapBytes();
  for (auto& client : clients) {
    ASSERT_TRUE(client.Dial(server.port()));
    client.SendRaw("POST /large HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: " +
                   std::to_string(kLargeBodyBytes) + "\r\n\r\n");
    ASSERT_EQ(client.ReadResponse().status, 100);
    client.SendRaw("x");
  }
  ASSERT_TRUE(server.AwaitCounts([](const auto& counts) { return counts.body_bytes == kPeers; }));
  EXPECT_LT(HeapBytes(), before + kPeers * 4096 + kNoise) << "800 MB were announced";
}

TEST(HttpBody, ARequestBeyondTheBudgetIsRefusedUntilThereIsRoom) {
  TestServer server(WithBudget(1'000'000));
  WsTestClient holder;
  ASSERT_TRUE(holder.Dial(server.port()));
  holder.SendRaw(HeadOf("/later", 200'000) + std::string(200'000, 'x'));
  WsTestClient half;
  ASSERT_TRUE(half.Dial(server.port()));
  half.SendRaw(HeadOf("/large", 750'000) + std::string(500'000, 'x'));
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  ASSERT_TRUE(server.AwaitCounts([](const auto& counts) { return counts.body_bytes >= 700'000; }));

  WsTestClient late;
  ASSERT_TRUE(late.Dial(server.port()));
  late.SendRaw(HeadOf("/large", 800'000));
  const WsResponse refusal = late.ReadResponse();
  EXPECT_EQ(refusal.status, 503);
  EXPECT_EQ(refusal.Header("Retry-After"), "1");
  EXPECT_EQ(refusal.Header("Connection"), "close");
  EXPECT_EQ(HttpGet(server.port(), "/without/a/body").status, 200);

  half.Reset();
  server.OnLoop([&] {
    server.kept()[0]->Respond({200, {}, ""});
    server.kept().clear();
  });
  ASSERT_TRUE(server.AwaitCounts([](const auto& counts) { return counts.body_bytes == 0; }));
  EXPECT_EQ(HttpPost(server.port(), "/large", std::string(800'000, 'x')).body, "800000");
  EXPECT_EQ(server.Counts().body_bytes, 0u);
}

TEST(HttpBody, APeerThatLosesTheRaceForTheLastRoomIsRefusedInTheMiddleOfItsBody) {
  TestServer server(WithBudget(1'000'000));
  std::vector<WsTestClient> clients(2);
  for (auto& client : clients) {
    ASSERT_TRUE(client.Dial(server.port()));
    client.SendRaw(HeadOf("/large", 900'000) + std::string(10, 'x'));
  }
  ASSERT_TRUE(server.AwaitCounts([](const auto& counts) { return counts.body_bytes == 20; }));
  const std::string rest(899'990, 'x');
  clients[0].SendRaw(rest.substr(0, rest.size() - 1));
  ASSERT_TRUE(server.AwaitCounts([](const auto& counts) { return counts.body_bytes > 850'000; }));
  clients[1].SendRaw(rest);
  EXPECT_EQ(clients[1].ReadResponse().status, 503);
  clients[0].SendRaw("x");
  EXPECT_EQ(clients[0].ReadResponse().body, "900000");
}

TEST(HttpBody, ContinueIsSentOnceAndOnlyToPeersThatWaitForIt) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  const std::string start =
      "POST /x HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 4\r\n\r\n";
  for (int i = 0; i < 2; ++i) {
    client.SendRaw(start);
    EXPECT_EQ(client.ReadResponse().status, 100);
    for (const char c : std::string("body")) client.SendRaw(std::string(1, c));
    EXPECT_EQ(client.ReadResponse().body, "POST /x body");
  }
  client.SendRaw(start + "body");
  EXPECT_EQ(client.ReadResponse().body, "POST /x body");
  client.SendRaw("POST /x HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  server.TurnLoop(3);
  client.SendRaw("body");
  EXPECT_EQ(client.ReadResponse().body, "POST /x body");
}

const std::string kChunked = " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n";

TEST(HttpChunks, AreReadAsOneBodyHoweverTheyAreCut) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  const std::string request =
      "POST /x" + kChunked + "\r\n3\r\none\r\n4;note=1\r\nmore\r\n0\r\nSum: 7\r\n\r\n";
  for (const size_t piece : {request.size(), size_t{1}, size_t{7}}) {
    for (size_t at = 0; at < request.size(); at += piece) client.SendRaw(request.substr(at, piece));
    EXPECT_EQ(client.ReadResponse().body, "POST /x onemore");
  }
  client.SendRaw("GET /next HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(client.ReadResponse().body, "GET /next ");
}

TEST(HttpChunks, ObeyTheBoundsOfTheRouteAndTheBudget) {
  TestServer server(WithBudget(size_t{16} << 20));
  const auto post = [&](const std::string& target, size_t bytes) {
    WsTestClient client;
    EXPECT_TRUE(client.Dial(server.port()));
    std::string body;
    for (size_t left = bytes; left > 0; left -= std::min<size_t>(left, 0x10000)) {
      const size_t size = std::min<size_t>(left, 0x10000);
      char line[16];
      std::snprintf(line, sizeof line, "%zx\r\n", size);
      body += line + std::string(size, 'x') + "\r\n";
    }
    client.SendRaw("POST " + target + kChunked + "\r\n" + body + "0\r\n\r\n");
    return client.ReadResponse();
  };
  EXPECT_EQ(post("/large", kLargeBodyBytes).body, std::to_string(kLargeBodyBytes));
  EXPECT_EQ(post("/large", kLargeBodyBytes + 1).status, 413);
  EXPECT_EQ(post("/larger", 262'144).status, 200);
  EXPECT_EQ(post("/larger", 262'145).status, 413);
  ASSERT_TRUE(server.AwaitCounts([](const auto& counts) { return counts.body_bytes == 0; }));
}

TEST(HttpChunks, WaitForContinueLikeOtherBodies) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  for (int i = 0; i < 2; ++i) {
    client.SendRaw("POST /x" + kChunked + "Expect: 100-continue\r\n\r\n");
    EXPECT_EQ(client.ReadResponse().status, 100);
    client.SendRaw("4\r\nbody\r\n0\r\n\r\n");
    EXPECT_EQ(client.ReadResponse().body, "POST /x body");
  }
}

TEST(HttpBodyPace, AStalledBodyIsDroppedWhateverItsLength) {
  TransportSettings settings;
  settings.handshake_timeout_ms = 50;
  TestServer server(settings);
  for (const std::string& start : {HeadOf("/large", kLargeBodyBytes) + std::string(100'000, 'x'),
                                   "POST /large" + kChunked + "\r\n100000\r\n" + std::string(100'000, 'x'),
                                   "POST /large" + kChunked + "\r\n1\r\nx\r\n"}) {
    WsTestClient client;
    ASSERT_TRUE(client.Dial(server.port()));
    client.SendRaw(start);
    EXPECT_TRUE(client.AwaitEnd());
  }
  EXPECT_TRUE(server.AwaitOpen(0));
}

// One byte for every so many requests of another client: never silent for long, and far below 64 bytes a
// millisecond, or 4 for a route that takes pieces.
TEST(HttpBodyPace, ADrippingBodyIsDroppedThoughItNeverStalls) {
  TransportSettings settings;
  settings.handshake_timeout_ms = 100;
  TestServer server(settings);
  server.on_pieces = [](std::shared_ptr<gateway::HttpExchange> exchange) {
    struct Dropping final : gateway::BodyReceiver {
      std::shared_ptr<gateway::HttpExchange> exchange;
      void OnPiece(std::string_view) override {}
      void OnEnd() override {}
      void OnGone() override {}
    };
    auto receiver = std::make_unique<Dropping>();
    receiver->exchange = std::move(exchange);
    return receiver;
  };
  for (const auto& [target, others] : {std::pair<std::string, int>("/large", 1), {"/pieces", 20}}) {
    WsTestClient client;
    ASSERT_TRUE(client.Dial(server.port()));
    client.SendRaw(HeadOf(target, kLargeBodyBytes));
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(kTimeoutMs);
    while (client.SendRaw("x") && std::chrono::steady_clock::now() < until) {
      for (int i = 0; i < others; ++i) ASSERT_EQ(HttpGet(server.port(), "/x").status, 200);
    }
    EXPECT_LT(std::chrono::steady_clock::now(), until) << target << " was waited for";
  }
}

TEST(HttpBody, ALargeBodyIsNotReadBeforeItsCredentialIsChecked) {
  TestServer server(WithBudget(size_t{256} << 20));
  gateway::TransportHandler::Judged judge;
  server.on_judge_body = [&](const gateway::HttpRequestHead&, gateway::TransportHandler::Judged then) {
    server.Note([&] { judge = std::move(then); });
  };
  const auto judged = [&](std::optional<gateway::HttpResponse> refusal) {
    ASSERT_TRUE(server.Await([&] { return judge != nullptr; }));
    EXPECT_EQ(server.Counts().body_bytes, 0u);
    server.OnLoop([&] { std::exchange(judge, nullptr)(std::move(refusal)); });
  };
  EXPECT_EQ(HttpPost(server.port(), "/large", std::string(gateway::kSmallBodyBytes, 'x')).body, "65536")
      << "a small one is not judged";
  WsTestClient bad, good, chunks;
  ASSERT_TRUE(bad.Dial(server.port()) && good.Dial(server.port()) && chunks.Dial(server.port()));
  bad.SendRaw(HeadOf("/large", 100'000) + std::string(50'000, 'x'));
  judged(gateway::HttpResponse{401, {}, "who are you"});
  EXPECT_EQ(bad.ReadResponse().body, "who are you");
  EXPECT_EQ(bad.ReadRaw(1), "") << "the connection ends, since the rest is not read";
  good.SendRaw(HeadOf("/large", 100'000) + std::string(50'000, 'x'));
  judged(std::nullopt);
  good.SendRaw(std::string(50'000, 'x'));
  EXPECT_EQ(good.ReadResponse().body, "100000");
  // A chunked body may become large.
  chunks.SendRaw(
      "POST /large HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
  judged(std::nullopt);
  EXPECT_EQ(chunks.ReadResponse().body, "3");
  good.SendRaw(HeadOf("/large", kLargeBodyBytes + 1));
  EXPECT_EQ(good.ReadResponse().status, 413) << "too large is said at once";
}

TEST(HttpBody, TheSlowestIsDroppedForOneThatFindsNoRoom) {
  TransportSettings settings;
  BodyBudget::Settings bodies;
  bodies.capacity = 1'000'000;
  bodies.patience_ms = 0;
  settings.bodies = std::make_shared<BodyBudget>(bodies);
  TestServer server(settings);
  WsTestClient slow;
  ASSERT_TRUE(slow.Dial(server.port()));
  slow.SendRaw(HeadOf("/large", 900'000) + std::string(800'000, 'x'));
  ASSERT_TRUE(server.AwaitCounts([](const auto& counts) { return counts.body_bytes >= 800'000; }));
  EXPECT_EQ(HttpPost(server.port(), "/large", std::string(700'000, 'x')).body, "700000");
  const WsResponse refusal = slow.ReadResponse();
  EXPECT_EQ(refusal.status, 503);
  EXPECT_EQ(refusal.Header("Retry-After"), "1");
  EXPECT_EQ(server.Counts().bodies_evicted, 1u);
  EXPECT_EQ(server.Counts().body_bytes, 0u);
}

TEST(HttpBody, OneAddressHasAShareOfTheBudget) {
  TransportSettings settings;
  BodyBudget::Settings bodies;
  bodies.capacity = 1'000'000;
  bodies.address_capacity = 500'000;
  settings.bodies = std::make_shared<BodyBudget>(bodies);
  TestServer server(settings);
  WsTestClient holder, other;
  ASSERT_TRUE(holder.Dial(server.port()));
  holder.SendRaw(HeadOf("/later", 200'000) + std::string(200'000, 'x'));
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  EXPECT_EQ(HttpPost(server.port(), "/large", std::string(400'000, 'x')).status, 503);
  other.set_source_address("127.0.0.2");
  ASSERT_TRUE(other.Dial(server.port()));
  other.SendRaw(HeadOf("/large", 400'000) + std::string(400'000, 'x'));
  EXPECT_EQ(other.ReadResponse().body, "400000");
}

}  // namespace
}  // namespace parley::gateway_test
