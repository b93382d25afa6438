// Persistent HTTP connections: keep-alive, their end, pipelined requests, deadlines.
#include <gtest/gtest.h>

#include "gateway/net/transport.h"
#include "tests/gateway/transport_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

using gateway::TransportSettings;

std::string Get(const std::string& target, const std::string& lines = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n";
}
std::string Post(const std::string& target, const std::string& body, const std::string& lines = "") {
  return "POST " + target + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n" + lines + "\r\n" + body;
}
const std::string kUpgradeLines =
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    "Sec-WebSocket-Version: 13\r\n";

void AnswerKept(TestServer& server, gateway::HttpResponse response) {
  server.OnLoop([&] {
    server.kept().front()->Respond(std::move(response));
    server.kept().erase(server.kept().begin());
  });
}

TEST(HttpKeepAlive, AConnectionAnswersOneRequestAfterTheOther) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  for (int i = 0; i < 100; ++i) {
    const std::string target = "/" + std::to_string(i);
    client.SendRaw(i % 2 ? Get(target) : Post(target, target));
    const WsResponse response = client.ReadResponse();
    ASSERT_EQ(response.body, i % 2 ? "GET " + target + " " : "POST " + target + " " + target);
    EXPECT_EQ(response.Header("Connection"), "");
  }
  EXPECT_EQ(server.Counts().accepted, 1u);
  EXPECT_EQ(server.Counts().open, 1u);
}

TEST(HttpKeepAlive, EitherSideMayCloseIt) {
  TestServer server;
  WsTestClient client;
  for (const std::string& last :
       {Get("/x", "Connection: close\r\n"), Get("/last"), Get("/x", "Connection: keep-alive, CLOSE\r\n"),
        std::string("GET /x HTTP/1.0\r\n\r\n")}) {
    ASSERT_TRUE(client.Dial(server.port()));
    client.SendRaw(Get("/first") + last + Get("/behind"));
    EXPECT_EQ(client.ReadResponse().body, "GET /first ");
    const WsResponse response = client.ReadResponse();
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.Header("Connection"), "close");
    EXPECT_EQ(client.ReadRaw(1), "") << "nothing is answered behind the last";
    client.Close();
  }
  EXPECT_TRUE(server.AwaitOpen(0));
}

TEST(HttpKeepAlive, AnHttp10PeerStaysIfItAsks) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  for (int i = 0; i < 3; ++i) {
    client.SendRaw("GET /x HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n");
    const WsResponse response = client.ReadResponse();
    EXPECT_EQ(response.body, "GET /x ");
    EXPECT_EQ(response.Header("Connection"), "keep-alive");
  }
}

TEST(HttpKeepAlive, AnswersToHeadAndWithoutContentDoNotShiftTheNext) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n" + Get("/later") + Get("/y"));
  const WsResponse head = client.ReadResponse(true);
  EXPECT_EQ(head.Header("Content-Length"), "8");
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  AnswerKept(server, {204, {}, "not sent"});
  const WsResponse none = client.ReadResponse(true);
  EXPECT_EQ(none.status, 204);
  EXPECT_EQ(none.Header("Content-Length"), "");
  EXPECT_EQ(client.ReadResponse().body, "GET /y ");
}

TEST(HttpKeepAlive, ARefusalIsTheLastAnswer) {
  TestServer server;
  WsTestClient client;
  for (const std::string bad :
       {"nonsense\r\n\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"}) {
    ASSERT_TRUE(client.Dial(server.port()));
    client.SendRaw("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n" + bad + Get("/behind"));
    EXPECT_EQ(client.ReadResponse(true).status, 200);
    const WsResponse refusal = client.ReadResponse();
    EXPECT_GE(refusal.status, 400);
    EXPECT_EQ(refusal.Header("Connection"), "close");
    EXPECT_NE(refusal.body, "");
    EXPECT_TRUE(client.AwaitEnd());
  }
}

TEST(HttpKeepAlive, ManyIdleConnectionsAreSmall) {
  TestServer server;
  constexpr size_t kPeers = 200;
  std::vector<WsTestClient> clients(kPeers + 10);
  size_t before = 0;
  for (size_t i = 0; i < clients.size(); ++i) {
    if (i == 10) before = HeapBytes();  // the first ones allocate shared tables
    ASSERT_TRUE(clients[i].Dial(server.port()));
    clients[i].SendRaw(Post("/large", std::string(100'000, 'x'), "X: " + std::string(5000, 'x') + "\r\n"));
    ASSERT_EQ(clients[i].ReadResponse().body, "100000");
  }
  server.TurnLoop(3);
  const size_t each = (HeapBytes() - before) / kPeers;
  std::printf("heap per idle HTTP connection, with both ends of the test: %zu bytes\n", each);
  EXPECT_LT(each, 3'072u);
}

TEST(HttpPipeline, AnswersComeInOrderHoweverTheRequestsAreCut) {
  TestServer server;
  const std::string requests = Get("/1") + Post("/2", "two") + "\r\n" + Get("/3") +
                               Post("/4", std::string(5000, '4')) + "HEAD /5 HTTP/1.1\r\nHost: a\r\n\r\n" +
                               Get("/6");
  for (const size_t piece : {requests.size(), size_t{1}, size_t{7}, size_t{4096}}) {
    WsTestClient client;
    ASSERT_TRUE(client.Dial(server.port()));
    for (size_t at = 0; at < requests.size(); at += piece) client.SendRaw(requests.substr(at, piece));
    EXPECT_EQ(client.ReadResponse().body, "GET /1 ");
    EXPECT_EQ(client.ReadResponse().body, "POST /2 two");
    EXPECT_EQ(client.ReadResponse().body, "GET /3 ");
    EXPECT_EQ(client.ReadResponse().body, "POST /4 " + std::string(5000, '4'));
    EXPECT_EQ(client.ReadResponse(true).Header("Content-Length"), "8");
    EXPECT_EQ(client.ReadResponse().body, "GET /6 ");
  }
}

TEST(HttpPipeline, RequestsAfterAnotherWaitForItsAnswer) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw(Get("/later") + Get("/later") + Get("/x"));
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  server.TurnLoop(10);
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; })) << "one at a time";
  AnswerKept(server, {200, {}, "first"});
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  AnswerKept(server, {200, {}, "second"});
  EXPECT_EQ(client.ReadResponse().body, "first");
  EXPECT_EQ(client.ReadResponse().body, "second");
  EXPECT_EQ(client.ReadResponse().body, "GET /x ");
}

TEST(HttpPipeline, RequestsSentBeforeTheEndOfTheStreamAreAnswered) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw(Get("/later") + Get("/2") + Get("/big") + Get("/4"));
  client.ShutdownWrite();
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  AnswerKept(server, {200, {}, "first"});
  EXPECT_EQ(client.ReadResponse().body, "first");
  EXPECT_EQ(client.ReadResponse().body, "GET /2 ");
  EXPECT_EQ(client.ReadResponse().body.size(), 1'000'000u);
  EXPECT_EQ(client.ReadResponse().body, "GET /4 ");
  EXPECT_TRUE(client.AwaitEnd());
  EXPECT_TRUE(server.AwaitOpen(0));
}

TEST(HttpPipeline, TheAnswersToOnePieceOfInputAreSentTogether) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  std::string requests;
  for (int i = 0; i < 50; ++i) requests += Get("/" + std::to_string(i));
  ASSERT_LT(requests.size(), 4096u);
  const uint64_t before = server.Counts().writes;
  client.SendRaw(requests);
  for (int i = 0; i < 50; ++i) ASSERT_EQ(client.ReadResponse().body, "GET /" + std::to_string(i) + " ");
  EXPECT_EQ(server.Counts().writes, before + 1);
}

TEST(HttpPipeline, APeerWithManyRequestsAheadLetsOthersTakeTurns) {
  TransportSettings settings;
  settings.read_buffer_bytes = 64 * 1024;
  TestServer server(settings);
  size_t counted = 0, most = 0;
  server.OnLoop([&] {
    server.transport().OnTurnEnd([&] {
      most = std::max(most, server.http_count - counted);
      counted = server.http_count;
    });
  });
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  std::string requests;
  for (int i = 0; i < 500; ++i) requests += Get("/" + std::to_string(i));
  client.SendRaw(requests);
  for (int i = 0; i < 500; ++i) ASSERT_EQ(client.ReadResponse().body, "GET /" + std::to_string(i) + " ");
  server.OnLoop([&] {
    EXPECT_EQ(server.http_count, 500u);
    EXPECT_LE(most, 64u);
  });
}

TEST(HttpPipeline, APeerThatAsksWithoutReadingCostsOneAnswer) {
  TestServer server;
  WsTestClient client;
  client.set_receive_buffer_bytes(4096);
  ASSERT_TRUE(client.Dial(server.port()));
  const size_t before = HeapBytes();
  std::string requests;
  for (int i = 0; i < 60; ++i) requests += Get("/big");
  client.SendRaw(requests);
  ASSERT_TRUE(server.AwaitCounts([](const auto& counts) { return counts.bytes_out > 0; }));
  server.TurnLoop(50);
  EXPECT_LT(HeapBytes(), before + 4'000'000) << "sixty answers are 60 MB";
  for (int i = 0; i < 60; ++i) ASSERT_EQ(client.ReadResponse().body.size(), 1'000'000u) << i;
}

TEST(HttpDeadline, AnIdleConnectionIsClosedCleanly) {
  TransportSettings settings;
  settings.http_idle_timeout_ms = 40;
  TestServer server(settings);
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  for (int i = 0; i < 3; ++i) {
    client.SendRaw(Get("/x"));
    EXPECT_EQ(client.ReadResponse().body, "GET /x ");
  }
  EXPECT_EQ(client.ReadFrame().kind, WsFrame::kEnd) << "not reset";
  client.Close();
  EXPECT_TRUE(server.AwaitOpen(0));
}

TEST(HttpDeadline, ARequestInProgressAndAWebSocketOutliveTheIdleTimeOut) {
  TransportSettings settings;
  settings.http_idle_timeout_ms = 30;
  TestServer server(settings);
  WsTestClient waiting, socket, idle;
  ASSERT_TRUE(waiting.Dial(server.port()));
  waiting.SendRaw(Get("/x") + Get("/later"));
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  ASSERT_TRUE(socket.Dial(server.port()));
  socket.SendRaw(Get("/x"));
  EXPECT_EQ(socket.ReadResponse().status, 200);
  socket.SendRaw(Get("/echo", kUpgradeLines));
  EXPECT_EQ(socket.ReadResponse().status, 101);
  // A third connection, which does time out, shows when the time has passed for the others.
  ASSERT_TRUE(idle.Dial(server.port()));
  idle.SendRaw(Get("/x"));
  ASSERT_TRUE(idle.AwaitEnd());
  AnswerKept(server, {200, {}, "at last"});
  EXPECT_EQ(waiting.ReadResponse().body, "GET /x ");
  EXPECT_EQ(waiting.ReadResponse().body, "at last");
  socket.SendText("still here");
  EXPECT_EQ(socket.ReadData().payload, "still here");
}

TEST(HttpDeadline, ALaterUnfinishedRequestIsDroppedLikeTheFirst) {
  TransportSettings settings;
  settings.handshake_timeout_ms = 50;
  settings.http_idle_timeout_ms = 3'600'000;
  TestServer server(settings);
  for (const std::string start : {"G", "GET / HTTP/1.1\r\nHost: a\r\nX: ",
                                  "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nonly"}) {
    WsTestClient client;
    ASSERT_TRUE(client.Dial(server.port()));
    client.SendRaw(Get("/x") + start);
    EXPECT_EQ(client.ReadResponse().status, 200);
    EXPECT_TRUE(client.AwaitEnd()) << start;
  }
  EXPECT_TRUE(server.AwaitOpen(0));
}

TEST(HttpDeadline, AnIdlePeerCountsAgainstTheBudgetsUntilItVanishes) {
  TransportSettings settings;
  settings.max_connections_per_address = 2;
  TestServer server(settings);
  std::vector<WsTestClient> clients(2);
  for (auto& client : clients) {
    ASSERT_TRUE(client.Dial(server.port()));
    client.SendRaw(Get("/x"));
    ASSERT_EQ(client.ReadResponse().status, 200);
  }
  WsTestClient extra;
  ASSERT_TRUE(extra.Dial(server.port()));
  EXPECT_EQ(extra.ReadResponse().status, 429);
  clients[0].Reset();
  ASSERT_TRUE(server.AwaitOpen(1));
  clients[1].SendRaw(Get("/later"));
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  clients[1].Reset();
  AnswerKept(server, {200, {}, std::string(1'000'000, 'r')});
  EXPECT_TRUE(server.AwaitOpen(0));
}

TEST(HttpDrain, IdleConnectionsEndAndPendingRequestsAreAnsweredLast) {
  TestServer server;
  WsTestClient idle, busy, fresh, socket;
  for (WsTestClient* client : {&idle, &busy, &fresh}) ASSERT_TRUE(client->Dial(server.port()));
  idle.SendRaw(Get("/x"));
  EXPECT_EQ(idle.ReadResponse().status, 200);
  busy.SendRaw(Get("/later") + Get("/behind"));
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  ASSERT_EQ(socket.Connect(server.port(), "/echo").status, 101);
  ASSERT_TRUE(server.AwaitOpen(4));
  server.OnLoop([&] { server.transport().StopKeepingAlive(); });
  EXPECT_EQ(idle.ReadFrame().kind, WsFrame::kEnd);
  AnswerKept(server, {200, {}, "the last"});
  const WsResponse last = busy.ReadResponse();
  EXPECT_EQ(last.body, "the last");
  EXPECT_EQ(last.Header("Connection"), "close");
  EXPECT_TRUE(busy.AwaitEnd());
  fresh.SendRaw(Get("/probe"));
  const WsResponse probe = fresh.ReadResponse();
  EXPECT_EQ(probe.body, "GET /probe ");
  EXPECT_EQ(probe.Header("Connection"), "close");
  socket.SendText("still here");
  EXPECT_EQ(socket.ReadData().payload, "still here");
}

TEST(HttpUpgrade, MayFollowPlainRequestsBeforeTheirAnswersAreSent) {
  TestServer server;
  WsTestClient client;
  client.set_receive_buffer_bytes(4096);
  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw(Get("/x") + Get("/big") + Get("/echo", kUpgradeLines) + ClientFrame(1, "early"));
  EXPECT_EQ(client.ReadResponse().body, "GET /x ");
  EXPECT_EQ(client.ReadResponse().body.size(), 1'000'000u);
  EXPECT_EQ(client.ReadResponse().status, 101);
  EXPECT_EQ(client.ReadData().payload, "early");
  EXPECT_EQ(server.Counts().open, 1u);
  EXPECT_TRUE(client.AnswersClose(1000));
  client.Close();
  EXPECT_TRUE(server.AwaitOpen(0));
}

TEST(HttpUpgrade, WorksByteByByteAndWithFramesRightAfterIt) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  for (const char c : Get("/x") + Get("/echo", kUpgradeLines) + ClientFrame(1, "a") + ClientFrame(2, "b"))
    client.SendRaw(std::string(1, c));
  EXPECT_EQ(client.ReadResponse().status, 200);
  EXPECT_EQ(client.ReadResponse().status, 101);
  EXPECT_EQ(client.ReadData().payload, "a");
  EXPECT_EQ(client.ReadData().payload, "b");
}

TEST(HttpUpgrade, IsRefusedForAPeerThatHasLeftOrWithoutAPlainGet) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw(Get("/patient", kUpgradeLines));
  client.Reset();
  EXPECT_TRUE(server.AwaitOpen(0));
  for (const std::string& request : {"POST /echo HTTP/1.1\r\nHost: a\r\n" + kUpgradeLines + "\r\n",
                                     Get("/echo", kUpgradeLines + "Content-Length: 5\r\n")}) {
    ASSERT_TRUE(client.Dial(server.port()));
    client.SendRaw(request);
    EXPECT_EQ(client.ReadResponse().status, 400);
  }
  // A body in the form of a frame is not read as a frame.
  const std::string frame = ClientFrame(1, "smuggled");
  const std::string chunk = "\r\n" + frame + "\r\n0\r\n\r\n";
  for (const std::string& request :
       {Get("/echo", kUpgradeLines + "Content-Length: " + std::to_string(frame.size()) + "\r\n") + frame,
        Get("/echo", kUpgradeLines + "Transfer-Encoding: chunked\r\n") + "e" + chunk,
        Get("/echo", kUpgradeLines + "Transfer-Encoding: chunked\r\n") + "0\r\n\r\n"}) {
    ASSERT_TRUE(client.Dial(server.port()));
    client.SendRaw(request);
    EXPECT_EQ(client.ReadResponse().status, 400);
    EXPECT_EQ(client.ReadRaw(1), "") << "and nothing else";
  }
  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw("GET /echo HTTP/1.0\r\nHost: a\r\n" + kUpgradeLines + "\r\n");
  EXPECT_EQ(client.ReadResponse().body, "GET /echo ") << "version 1.0 knows no upgrades";
}

TEST(HttpUpgrade, IsRefusedWithMalformedExtensions) {
  TestServer server;
  const auto upgrade = [&](const std::string& extensions) {
    WsTestClient client;
    return client.Connect(server.port(), "/echo", {}, {{"Sec-WebSocket-Extensions", extensions}}).status;
  };
  for (const char* good :
       {"permessage-deflate", "permessage-deflate; client_max_window_bits", "x-a;b=1, x-c ; d = \"e\" ;f",
        "permessage-deflate;server_no_context_takeover;client_max_window_bits=15 , x"})
    EXPECT_EQ(upgrade(good), 101) << good;
  for (const char* bad :
       {",", ";", "a,", ",a", "a;", "a;;b", "a;b=", "a;=b", "a;b=\"c", "a;b=\"\"", "a;b=\"c d\"", "a b",
        "a=b", "a;b=c=d", "(a)", "a/b", "a;b c", "permessage-deflate; client_max_window_bits=@"})
    EXPECT_EQ(upgrade(bad), 400) << bad;
}

TEST(HttpUpgrade, WaitsUntilItIsDecided) {
  TestServer server;
  gateway::TransportHandler::Judged judge;
  server.on_judge_upgrade = [&](const gateway::HttpRequestHead& head,
                                gateway::TransportHandler::Judged then) {
    if (head.target == "/echo") return then(std::nullopt);
    server.Note([&] { judge = std::move(then); });
  };
  const auto judged = [&](std::optional<gateway::HttpResponse> refusal) {
    ASSERT_TRUE(server.Await([&] { return judge != nullptr; }));
    server.OnLoop([&] { std::exchange(judge, nullptr)(std::move(refusal)); });
  };
  WsTestClient client, bad, gone;
  ASSERT_TRUE(client.Dial(server.port()) && bad.Dial(server.port()) && gone.Dial(server.port()));
  client.SendRaw(Get("/echo/", kUpgradeLines) + ClientFrame(1, "early"));
  judged(std::nullopt);
  EXPECT_EQ(client.ReadResponse().status, 101);
  bad.SendRaw(Get("/echo/", kUpgradeLines));
  judged(gateway::HttpResponse{401, {}, "no"});
  EXPECT_EQ(bad.ReadResponse().status, 401);
  EXPECT_EQ(bad.ReadRaw(1), "");
  gone.SendRaw(Get("/echo/", kUpgradeLines));
  ASSERT_TRUE(server.Await([&] { return judge != nullptr; }));
  gone.Reset();
  client.Close();
  bad.Close();
  judged(std::nullopt);
  EXPECT_TRUE(server.AwaitOpen(0));
}

}  // namespace
}  // namespace parley::gateway_test
