// The head of a request: refuses ambiguous ones and accepts everything that the RFC allows.
#include "gateway/net/header.h"

#include <gtest/gtest.h>

#include "tests/gateway/transport_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

WsResponse Send(uint16_t port, const std::string& request) {
  WsTestClient client;
  EXPECT_TRUE(client.Dial(port));
  client.SendRaw(request);
  return client.ReadResponse();
}

int UpgradeWith(uint16_t port, const std::string& upgrade, const std::string& connection) {
  WsTestClient client;
  return client.Connect(port, "/echo", {}, {{"Upgrade", upgrade}, {"Connection", connection}}).status;
}

TEST(TransportHeader, UpgradeAndConnectionAreListsOfNamesInAnyCase) {
  TestServer server;
  const auto port = server.port();
  EXPECT_EQ(UpgradeWith(port, "WebSocket", "keep-alive, UPGRADE"), 101);
  EXPECT_EQ(UpgradeWith(port, "h2c,websocket", " upgrade ,close"), 101);
  // A part of a name does not match: such a request is plain HTTP.
  EXPECT_EQ(UpgradeWith(port, "websocketish", "Upgrade"), 200);
  EXPECT_EQ(UpgradeWith(port, "my-websocket", "Upgrade"), 200);
  EXPECT_EQ(UpgradeWith(port, "websocket", "no-upgrade"), 200);
  EXPECT_EQ(UpgradeWith(port, "websocket", "upgraded"), 200);
  EXPECT_EQ(UpgradeWith(port, "websocket h2c", "Upgrade"), 200);
  EXPECT_EQ(UpgradeWith(port, "websocket", "keep-alive"), 200);
}

TEST(TransportHeader, AmbiguousLinesAreRefused) {
  TestServer server;
  const struct {
    const char* what;
    std::string lines;
  } cases[] = {
      {"two hosts", "Host: a\r\nHost: b\r\n"},
      {"one host twice", "Host: a\r\nhOST: a\r\n"},
      {"a blank before the colon", "Host : a\r\n"},
      {"a tab before the colon", "Host: a\r\nX-Kind\t: b\r\n"},
      {"a folded line", "Host: a\r\nX-Kind: b\r\n c\r\n"},
      {"a line folded with a tab", "Host: a\r\nX-Kind: b\r\n\tContent-Length: 5\r\n"},
      {"a blank before the name", " Host: a\r\n"},
      {"no name", "Host: a\r\n: b\r\n"},
      {"no colon", "Host: a\r\nX-Kind\r\n"},
      {"a name of two words", "Host: a\r\nX Kind: b\r\n"},
      {"a line feed by itself", "Host: a\nX-Kind: b\r\n"},
      {"a carriage return by itself", "Host: a\rX-Kind: b\r\n"},
      {"a NUL", std::string("Host: a\r\nX-Kind: \0b\r\n", 21)},
      {"two lengths", "Host: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n"},
  };
  for (const auto& [what, lines] : cases)
    EXPECT_EQ(Send(server.port(), "GET /x HTTP/1.1\r\n" + lines + "\r\n").status, 400) << what;
  EXPECT_EQ(Send(server.port(), "GET /x HTTP/1.1\r\nHost:a\r\nX-Hosts: b\r\nX-Empty:\r\n\r\n").status, 200);
}

TEST(TransportHeader, ATargetInAbsoluteFormIsAcceptedAndSetsTheHost) {
  TestServer server;
  WsTestClient client;
  EXPECT_EQ(client.Connect(server.port(), "http://parley.example/echo").status, 101);
  client.SendText("over a proxy");
  EXPECT_EQ(client.ReadData().payload, "over a proxy");
  EXPECT_EQ(HttpGet(server.port(), "HTTP://parley.example:80/a?b=c").body, "GET /a?b=c ");
  EXPECT_EQ(HttpGet(server.port(), "https://parley.example").body, "GET / ");
  EXPECT_EQ(HttpGet(server.port(), "http://parley.example?b=c").body, "GET /?b=c ");
  EXPECT_EQ(HttpRequest(server.port(), "OPTIONS", "*").body, "OPTIONS * ");

  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw("GET http://named.example/later HTTP/1.1\r\nHost: other.example\r\n\r\n");
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  server.OnLoop([&] { EXPECT_EQ(*server.kept()[0]->request().Header("Host"), "named.example"); });
}

TEST(TransportHeader, OtherTargetsAreRefused) {
  TestServer server;
  for (const std::string target :
       {"x", "ftp://a/x", "http://", "http:///x", "http://user@a/x", "a:443", "/x#y"})
    EXPECT_EQ(HttpGet(server.port(), target).status, 400) << target;
}

TEST(TransportHeader, ATraceIdIsTakenOnlyFromAWellFormedTraceparent) {
  const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736", parent = "00f067aa0ba902b7";
  EXPECT_EQ(gateway::TraceIdOf("00-" + trace + "-" + parent + "-01"), trace);
  EXPECT_EQ(gateway::TraceIdOf("cc-" + trace + "-" + parent + "-01-more"), trace) << "of a later version";
  for (const std::string& bad :
       {std::string(), "00-" + trace, "00-" + trace + "-" + parent, "00-" + trace + "-" + parent + "-01-more",
        "ff-" + trace + "-" + parent + "-01", "00-" + trace + "-" + parent + "-0x",
        "cc-" + trace + "-" + parent + "-01.", "00_" + trace + "-" + parent + "-01",
        "00-" + std::string(32, '0') + "-" + parent + "-01",
        "00-" + trace + "-" + std::string(16, '0') + "-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + parent + "-01"})
    EXPECT_EQ(gateway::TraceIdOf(bad), "") << bad;
}

TEST(TransportHeader, TheScanWorksForEveryCutOfTheBytes) {
  const std::string good = "GET / HTTP/1.1\r\nHost: a\r\nX-Host: b\r\n\r\nHost : behind the head";
  const std::string bad = "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n";
  for (size_t piece = 1; piece <= good.size(); ++piece) {
    gateway::HeaderScan of_good, of_bad;
    bool took = true;
    for (size_t at = 0; at < good.size(); at += piece)
      EXPECT_TRUE(of_good.Take(good.data() + at, std::min(piece, good.size() - at))) << piece;
    for (size_t at = 0; at < bad.size(); at += piece)
      took = of_bad.Take(bad.data() + at, std::min(piece, bad.size() - at));
    EXPECT_FALSE(took) << piece;
  }
}

}  // namespace
}  // namespace parley::gateway_test
