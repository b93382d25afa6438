// The peer of a request: trusted proxies, addresses that count as one, the operators' own listener, and the
// record of each request for the access log.
#include <gtest/gtest.h>

#include "gateway/net/address.h"
#include "gateway/net/transport.h"
#include "tests/gateway/transport_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

using gateway::TransportSettings;
using gateway::TrustedProxies;

TransportSettings Behind(const std::string& proxies) {
  TransportSettings settings;
  std::string why;
  settings.proxies = TrustedProxies::Parse(proxies, &why);
  EXPECT_EQ(why, "");
  return settings;
}

// Answers each request with the address of its peer.
void TellAddresses(TestServer& server) {
  server.on_http = [](const std::shared_ptr<gateway::HttpExchange>& exchange) {
    exchange->Respond({200, {}, exchange->request().address});
    return true;
  };
}

TEST(TransportProxies, ATrustedProxySetsTheAddressOfEachRequest) {
  TestServer server(Behind("127.0.0.1"));
  TellAddresses(server);
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  const auto ask = [&](const std::string& lines) {
    client.SendRaw("GET / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n");
    return client.ReadResponse().body;
  };
  EXPECT_EQ(ask("X-Forwarded-For: 192.0.2.1\r\n"), "192.0.2.1");
  EXPECT_EQ(ask("X-Forwarded-For: 192.0.2.1, 2001:DB8::1\r\n"), "2001:db8::1");
  EXPECT_EQ(ask("X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 192.0.2.2\r\n"), "192.0.2.2");
  EXPECT_EQ(ask(""), "127.0.0.1") << "nothing stays from the request before";
  WsTestClient stranger;
  stranger.set_source_address("127.0.0.2");
  ASSERT_TRUE(stranger.Dial(server.port()));
  stranger.SendRaw("GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n");
  EXPECT_EQ(stranger.ReadResponse().body, "127.0.0.2");
}

TEST(TransportProxies, SocketsOfAProxyCountForTheirClientsAndTheProxyHasNoLimit) {
  TransportSettings settings = Behind("127.0.0.1");
  settings.max_connections_per_address = 2;
  TestServer server(settings);
  std::vector<WsTestClient> clients(7);
  size_t next = 0;
  const auto connect = [&](const std::string& address) {
    return clients[next++].Connect(server.port(), "/", {}, {{"X-Forwarded-For", address}}).status;
  };
  EXPECT_EQ(connect("2001:db8::1"), 101);
  EXPECT_EQ(connect("2001:db8::ffff:2"), 101);
  EXPECT_EQ(connect("2001:db8::3"), 429) << "one customer's network";
  EXPECT_EQ(connect("2001:db8:0:1::1"), 101);
  EXPECT_EQ(connect("192.0.2.1"), 101);
  EXPECT_EQ(connect("::ffff:192.0.2.1"), 101);
  EXPECT_EQ(connect("192.0.2.1"), 429);
  EXPECT_EQ(server.Counts().refused_address, 2u);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  server.OnLoop([&] { EXPECT_EQ(server.session(0).connection->address(), "2001:db8::1"); });
  for (const size_t refused : {2u, 6u}) clients[refused].Close();
  clients[0].Reset();
  ASSERT_TRUE(server.AwaitOpen(4));
  WsTestClient again;
  EXPECT_EQ(again.Connect(server.port(), "/", {}, {{"X-Forwarded-For", "2001:db8::4"}}).status, 101);
  for (WsTestClient& client : clients) client.Close();
  again.Close();
  EXPECT_TRUE(server.AwaitOpen(0)) << "what is released is what was taken";
}

TEST(ConnectionBudget, AMoveTakesAPlaceAtTheNewAddressAndFreesTheOld) {
  using Verdict = gateway::ConnectionBudget::Verdict;
  gateway::ConnectionBudget budget;
  EXPECT_EQ(budget.Take("proxy", false, 10, 1), Verdict::kTaken);
  EXPECT_EQ(budget.Take("proxy", false, 10, 1), Verdict::kTaken);
  EXPECT_TRUE(budget.Move("proxy", "a", 1));
  EXPECT_FALSE(budget.Move("proxy", "a", 1));
  EXPECT_EQ(budget.open(), 2u);
  EXPECT_EQ(budget.Take("a", true, 10, 1), Verdict::kAddress);
  budget.Release("a");
  EXPECT_EQ(budget.Take("a", true, 10, 1), Verdict::kTaken);
  budget.Release("a");
  budget.Release("proxy");
  EXPECT_EQ(budget.open(), 0u);
}

TEST(TransportAdmin, ItsRequestsAreMarkedAndAcceptedEvenWhenTheServerIsFull) {
  TransportSettings settings;
  settings.admin_host = "127.0.0.1";
  settings.max_connections = 1;
  TestServer server(settings);
  server.on_http = [](const std::shared_ptr<gateway::HttpExchange>& exchange) {
    exchange->Respond({200, {}, exchange->request().admin ? "operator" : "anybody"});
    return true;
  };
  const uint16_t admin_port = server.transport().admin_port();
  ASSERT_NE(admin_port, 0);
  ASSERT_NE(admin_port, server.port());
  WsTestClient anybody;
  ASSERT_TRUE(anybody.Dial(server.port()));
  anybody.SendRaw("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(anybody.ReadResponse().body, "anybody");
  EXPECT_EQ(HttpGet(server.port(), "/").status, 503) << "full";
  EXPECT_EQ(HttpGet(admin_port, "/").body, "operator");
  std::vector<WsTestClient> many(64);
  for (WsTestClient& client : many) {
    ASSERT_TRUE(client.Dial(admin_port));
    client.SendRaw("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    ASSERT_EQ(client.ReadResponse().body, "operator");
  }
  EXPECT_EQ(HttpGet(admin_port, "/").status, 503) << "these are bounded, too";
  many[0].Reset();
  while (HttpGet(admin_port, "/").status == 503) {
  }
  EXPECT_EQ(server.Counts().open, 1u);
}

TEST(TransportAdmin, APortInUseIsRefused) {
  TransportSettings settings;
  TestServer server(settings);
  settings.admin_host = "127.0.0.1";
  settings.admin_port = server.port();
  EXPECT_NE(gateway::NewTransport()->Listen(settings, &server).find("cannot listen"), std::string::npos);
  settings.admin_host = "::nowhere";
  EXPECT_NE(gateway::NewTransport()->Listen(settings, &server), "");
}

struct Line {
  std::string method, route, address;
  int status;
  uint64_t in, out;
};

TEST(TransportAnswered, IsCalledOnceForEachRequestWithItsSizes) {
  TransportSettings settings = Behind("127.0.0.1");
  TestServer server(settings);
  std::vector<Line> lines;
  server.on_answered = [&](const gateway::HttpAnswered& answered) {
    EXPECT_GE(answered.microseconds, 0);
    EXPECT_LT(answered.microseconds, int64_t{kTimeoutMs} * 1000);
    server.Note([&] {
      lines.push_back({std::string(answered.method), std::string(answered.route),
                       std::string(answered.address), answered.status, answered.bytes_in,
                       answered.bytes_out});
    });
  };
  server.on_http = [](const std::shared_ptr<gateway::HttpExchange>& exchange) {
    gateway::HttpResponse response{201, {}, std::string(100, 'x')};
    response.route = "/things/{id}";
    exchange->Respond(std::move(response));
    return true;
  };
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw(
      "POST /things/7 HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\nContent-Length: 5\r\n\r\nhello"
      "HEAD /things/7 HTTP/1.1\r\nHost: a\r\n\r\n"
      "POST /things/7 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
      "PUT /secret HTTP/1.1\r\nHost: a\r\nContent-Length: 999999\r\n\r\n");
  ASSERT_TRUE(client.AwaitEnd());
  ASSERT_TRUE(server.Await([&] { return lines.size() == 4; }));
  const auto text = [](const Line& line) {
    return line.method + " " + line.route + " " + std::to_string(line.status) + " " +
           std::to_string(line.in) + " " + std::to_string(line.out) + " " + line.address;
  };
  EXPECT_EQ(text(lines[0]), "POST /things/{id} 201 5 100 192.0.2.1");
  EXPECT_EQ(text(lines[1]), "HEAD /things/{id} 201 0 0 127.0.0.1");
  EXPECT_EQ(text(lines[2]), "POST /things/{id} 201 3 100 127.0.0.1");
  EXPECT_EQ(text(lines[3]), "PUT  413 0 22 127.0.0.1");
}

}  // namespace
}  // namespace parley::gateway_test
