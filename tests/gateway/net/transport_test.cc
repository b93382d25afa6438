// The transport's contract (gateway/net/transport.h) over real sockets: handshake, frames, pings, closing,
// HTTP, the loop.
#include "gateway/net/transport.h"

#include <gtest/gtest.h>

#include "tests/gateway/transport_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

using gateway::Connection;
using gateway::MakeFrame;
using gateway::TransportSettings;

TEST(TransportHandshake, SelectsTheSubprotocolOfTheHandler) {
  TestServer server;
  WsTestClient client;
  const WsResponse response = client.Connect(server.port(), "/v1/ws", {"other", "parley.v1.json"});
  EXPECT_EQ(response.status, 101);
  EXPECT_EQ(response.Header("Sec-WebSocket-Protocol"), "parley.v1.json");
  EXPECT_EQ(response.Header("Sec-WebSocket-Accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");  // RFC 6455 §1.3
  EXPECT_EQ(response.Header("Sec-WebSocket-Extensions"), "");
  WsTestClient without;
  EXPECT_EQ(without.Connect(server.port()).Header("Sec-WebSocket-Protocol"), "");
}

TEST(TransportHandshake, RefusesWithTheStatusHeadersAndBodyOfTheHandler) {
  TestServer server;
  WsTestClient client;
  const WsResponse response = client.Connect(server.port(), "/refuse");
  EXPECT_EQ(response.status, 403);
  EXPECT_EQ(response.body, "not you\n");
  EXPECT_EQ(response.Header("Set-Cookie"), "") << "a line break in a value must not start a header";
  EXPECT_TRUE(client.AwaitEnd());
}

TEST(TransportHandshake, AnswersOtherVersionsThan13With426) {
  TestServer server;
  for (const std::string version : {"0", "7", "8", "12", "14", "13, 8", "x", ""}) {
    WsTestClient client;
    const WsResponse response =
        client.Connect(server.port(), "/echo", {}, {{"Sec-WebSocket-Version", version}});
    EXPECT_EQ(response.status, 426) << "version '" << version << "'";
    EXPECT_EQ(response.Header("Sec-WebSocket-Version"), "13");
  }
  WsTestClient hixie;
  ASSERT_TRUE(hixie.Dial(server.port()));
  hixie.SendRaw(
      "GET /echo HTTP/1.1\r\nHost: a\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\nOrigin: http://a\r\n"
      "Sec-WebSocket-Key1: 4 @1  46546xW%0l 1 5\r\nSec-WebSocket-Key2: 12998 5 Y3 1  .P00\r\n\r\n^n:ds[4U");
  EXPECT_EQ(hixie.ReadResponse().status, 426);
  EXPECT_EQ(server.session_count(), 0u);
}

TEST(TransportHandshake, RefusesIncompleteHandshakes) {
  TestServer server;
  for (const std::string key : {"", "c2hvcnQ=", "this is not base64 data=", "dGhlIHNhbXBsZSBub25jZQ"}) {
    WsTestClient client;
    EXPECT_EQ(client.Connect(server.port(), "/echo", {}, {{"Sec-WebSocket-Key", key}}).status, 400) << key;
  }
  WsTestClient client;
  EXPECT_EQ(client.Connect(server.port(), "/echo", {}, {{"Sec-WebSocket-Protocol", "a,,;b"}}).status, 400);
  EXPECT_EQ(client.Connect(server.port(), "/echo", {}, {{"Host", ""}}).status, 400);
  EXPECT_EQ(server.session_count(), 0u);
}

TEST(TransportHandshake, AcceptsFramesThatFollowTheHandshakeInTheSamePacket) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  std::string bytes =
      "GET /echo HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
  for (int i = 0; i < 300; ++i) bytes += ClientFrame(1, "early " + std::to_string(i));
  client.SendRaw(bytes);
  ASSERT_EQ(client.ReadResponse().status, 101);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(client.ReadData().payload, "early " + std::to_string(i));
}

TEST(TransportFrames, EchoesEverySizeClassInBothKinds) {
  TestServer server;
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port(), "/echo").status, 101);
  for (const size_t size : {0u, 1u, 125u, 126u, 1024u, 65535u, 65536u, 262144u}) {
    const std::string payload(size, 'x');
    for (const int opcode : {1, 2}) {
      client.SendRaw(ClientFrame(opcode, payload));
      const WsFrame frame = client.ReadData();
      EXPECT_EQ(frame.opcode, opcode);
      EXPECT_TRUE(frame.payload == payload) << size;
    }
  }
}

TEST(TransportFrames, JoinsFragmentsAroundControlFrames) {
  TestServer server;
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port(), "/echo").status, 101);
  client.SendRaw(ClientFrame(1, "Gr\xc3", false) + ClientFrame(9, "are you there?") +
                 ClientFrame(0, "\xbc\xc3", false) + ClientFrame(10, "unasked") +
                 ClientFrame(0, "\x9f e", true));
  const WsFrame pong = client.ReadFrame();
  EXPECT_EQ(pong.opcode, 10);
  EXPECT_EQ(pong.payload, "are you there?");
  EXPECT_EQ(client.ReadFrame().payload, "Gr\xc3\xbc\xc3\x9f e");
  EXPECT_EQ(server.See(0).pongs, 2) << "a ping is a sign of life too";
}

TEST(TransportFrames, InputByteByByteIsReadTheSame) {
  TestServer server;
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port(), "/echo").status, 101);
  for (const char c : ClientFrame(1, "drop by drop")) client.SendRaw(std::string(1, c));
  EXPECT_EQ(client.ReadData().payload, "drop by drop");
}

TEST(TransportPings, ReachThePeerAndPongsReachTheHandler) {
  TestServer server;
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  server.OnLoop([&] { server.session(0).connection->Ping(); });
  EXPECT_EQ(client.ReadFrame().opcode, 9);
  client.SendRaw(ClientFrame(10, ""));
  EXPECT_TRUE(server.Await([&] { return server.session(0).pongs == 1; }));
}

TEST(TransportReading, NoFrameArrivesWhilePausedAndNoneIsLost) {
  TestServer server;
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  server.OnLoop([&] { server.session(0).connection->PauseReading(true); });
  std::string bytes;
  for (int i = 0; i < 5000; ++i) bytes += ClientFrame(1, std::to_string(i));
  client.SendRaw(bytes);
  server.TurnLoop(50);
  EXPECT_EQ(server.See(0).frame_count, 0u);
  // One frame at a time: resume, and pause again on the loop as soon as a frame arrives.
  for (size_t round = 1; round <= 3; ++round) {
    server.OnLoop([&] { server.session(0).connection->PauseReading(false); });
    ASSERT_TRUE(server.Await([&] { return server.session(0).frame_count >= round; }));
    server.OnLoop([&] { server.session(0).connection->PauseReading(true); });
    const size_t count = server.See(0).frame_count;
    server.TurnLoop(20);
    EXPECT_EQ(server.See(0).frame_count, count);
  }
  server.OnLoop([&] { server.session(0).connection->PauseReading(false); });
  ASSERT_TRUE(server.Await([&] { return server.session(0).frame_count == 5000; }));
  for (int i = 0; i < 5000; ++i)
    ASSERT_EQ(server.session(0).frames[static_cast<size_t>(i)].first, std::to_string(i));
}

// The loop reports both as one event.
TEST(TransportClosing, SeesAnEndThatArrivesWithTheLastInput) {
  TestServer server;
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  server.OnLoop([&] {  // reads when both have arrived
    client.SendText("last");
    client.ShutdownWrite();
  });
  EXPECT_TRUE(server.Await([&] { return server.session(0).input_ends == 1; }));
  EXPECT_EQ(server.See(0).frame_count, 1u);
}

TEST(TransportClosing, SendsTheQueueThenTheCodeAndEndsAtTheAnswer) {
  TestServer server;
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  server.OnLoop([&] {
    Connection* connection = server.session(0).connection;
    connection->Send(MakeFrame("last words", false));
    connection->Close(4401, "expired", false);
    connection->Send(MakeFrame("after the close", false));
    connection->Close(1000, "again", false);
  });
  EXPECT_EQ(client.ReadData().payload, "last words");
  const WsFrame close = client.ReadFrame();
  EXPECT_EQ(close.close_code(), 4401);
  EXPECT_EQ(close.close_reason(), "expired");
  EXPECT_EQ(server.See(0).closed, 0);
  client.SendText("too late");
  client.SendClose(4401);
  EXPECT_TRUE(client.AwaitEnd());
  EXPECT_TRUE(server.Await([&] { return server.session(0).closed == 1; }));
  EXPECT_EQ(server.See(0).frame_count, 0u);
}

TEST(TransportClosing, AnswersThePeersCloseWithItsCodeEvenIfThePeerStopsSendingAtOnce) {
  TestServer server;
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  client.SendClose(1001, "bye");
  client.ShutdownWrite();
  EXPECT_EQ(client.ReadFrame().close_code(), 1001);
  EXPECT_TRUE(client.AwaitEnd());
  EXPECT_TRUE(server.Await([&] { return server.session(0).closed == 1; }));
}

TEST(TransportClosing, APeerThatDiesIsClosedOnce) {
  TestServer server;
  std::vector<WsTestClient> clients(2);
  for (auto& client : clients) ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(1).connection != nullptr; }));
  clients[0].Reset();
  clients[1].Close();
  ASSERT_TRUE(server.Await([&] { return server.session(0).closed == 1 && server.session(1).closed == 1; }));
  server.TurnLoop(5);
  EXPECT_EQ(server.See(0).closed + server.See(1).closed, 2);
  EXPECT_TRUE(server.AwaitOpen(0));
}

TEST(TransportClosing, APeerThatNeverAnswersIsDroppedAfterTheTimeOut) {
  TransportSettings settings;
  settings.close_timeout_ms = 50;
  TestServer server(settings);
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  server.OnLoop([&] { server.session(0).connection->Close(1001, "", false); });
  EXPECT_EQ(client.ReadFrame().close_code(), 1001);
  EXPECT_TRUE(server.Await([&] { return server.session(0).closed == 1; }));
  EXPECT_TRUE(client.AwaitEnd());
}

TEST(TransportHttp, PassesMethodTargetAndBodyThrough) {
  TestServer server;
  EXPECT_EQ(HttpGet(server.port(), "/a?b=c").body, "GET /a?b=c ");
  EXPECT_EQ(HttpPost(server.port(), "/v1/ops/x", "{\"a\":\n1}").body, "POST /v1/ops/x {\"a\":\n1}");
  EXPECT_EQ(HttpRequest(server.port(), "DELETE", "/x").body, "DELETE /x ");
  const WsResponse head = HttpRequest(server.port(), "HEAD", "/x");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body, "");
  EXPECT_EQ(head.Header("Content-Length"), "8");
  EXPECT_EQ(head.Header("Connection"), "close");
  EXPECT_EQ(head.Header("Server"), "");
}

TEST(TransportHttp, AnswersLaterFromTheLoop) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw("POST /later HTTP/1.1\r\nHost: a\r\nx-kind: Test\r\nContent-Length: 300000\r\n\r\n");
  EXPECT_EQ(client.ReadResponse().status, 413);
  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw(
      "POST /later HTTP/1.1\r\nHost: a\r\nx-kind: Test\r\nConnection: close\r\nContent-Length: "
      "200000\r\n\r\n" +
      std::string(200'000, 'p'));
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  server.TurnLoop(3);
  server.OnLoop([&] {
    const auto& request = server.kept()[0]->request();
    EXPECT_EQ(request.body.size(), 200'000u);
    EXPECT_EQ(request.address, "127.0.0.1");
    ASSERT_NE(request.Header("X-Kind"), nullptr);
    EXPECT_EQ(*request.Header("X-Kind"), "Test");
    EXPECT_EQ(request.Header("X-None"), nullptr);
    server.kept()[0]->Respond({423, {}, std::string(3'000'000, 'r')});
    server.kept()[0]->Respond({200, {}, "a second answer"});
    server.kept().clear();
  });
  const WsResponse response = client.ReadResponse();
  EXPECT_EQ(response.status, 423);
  EXPECT_EQ(response.body.size(), 3'000'000u);
  EXPECT_TRUE(client.AwaitEnd());
}

// The second request arrives while no input is wanted; its event is not repeated.
TEST(TransportHttp, ReadsARequestThatArrivedWhileAnotherWaitedForItsAnswer) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  client.SendRaw("GET /next HTTP/1.1\r\nHost: a\r\n\r\n");
  server.TurnLoop(3);
  server.OnLoop([&] {
    server.kept()[0]->Respond({423, {}, "later"});
    server.kept().clear();
  });
  EXPECT_EQ(client.ReadResponse().body, "later");
  EXPECT_EQ(client.ReadResponse().body, "GET /next ");
}

TEST(TransportHttp, AnExchangeThatIsDroppedIsAnswered500) {
  TestServer server;
  EXPECT_EQ(HttpGet(server.port(), "/drop").status, 500);
}

TEST(TransportHttp, AnsweringAPeerThatHasLeftIsHarmless) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  client.Reset();
  server.OnLoop([&] {
    server.kept()[0]->Respond({200, {}, std::string(1'000'000, 'r')});
    server.kept().clear();
  });
  EXPECT_EQ(HttpGet(server.port(), "/still/here").status, 200);
}

TEST(TransportHttp, SendsContinueToAClientThatAsksForIt) {
  TestServer server;
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw("POST /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  EXPECT_EQ(client.ReadResponse().status, 100);
  client.SendRaw("body");
  EXPECT_EQ(client.ReadResponse().body, "POST /x body");
}

}  // namespace
}  // namespace parley::gateway_test
