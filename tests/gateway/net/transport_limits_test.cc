// Bounds before authentication: unfinished requests, large bodies, too many connections, no descriptors.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "gateway/net/transport.h"
#include "tests/gateway/transport_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

using gateway::TransportSettings;

WsResponse SendRequest(uint16_t port, const std::string& request) {
  WsTestClient client;
  EXPECT_TRUE(client.Dial(port));
  client.SendRaw(request);
  const WsResponse response = client.ReadResponse();
  EXPECT_TRUE(client.AwaitEnd());
  return response;
}

TEST(TransportRequestLimit, AHeaderThatIsTooLargeIsRefusedWith431) {
  TestServer server;
  const std::string start = "GET / HTTP/1.1\r\nHost: a\r\n";
  EXPECT_EQ(SendRequest(server.port(), start + "X: " + std::string(17'000, 'x') + "\r\n\r\n").status, 431);
  EXPECT_EQ(
      SendRequest(server.port(), "GET /" + std::string(17'000, 'x') + " HTTP/1.1\r\nHost: a\r\n\r\n").status,
      431);
  const std::string last = start + "Connection: close\r\n";
  EXPECT_EQ(SendRequest(server.port(), last + "X: " + std::string(12'000, 'x') + "\r\n\r\n").status, 200);
}

TEST(TransportRequestLimit, AnEndlessHeaderIsCutOffAndNotBuffered) {
  TestServer server;
  const size_t before = HeapBytes();
  for (const std::string& piece : {std::string(60'000, 'x'), std::string("\r\nX: y"), std::string("\r\n")}) {
    std::string block;
    while (block.size() < 60'000) block += piece;
    WsTestClient client;
    ASSERT_TRUE(client.Dial(server.port()));
    client.SendRaw("GET / HTTP/1.1\r\nHost: a");
    for (int i = 0; i < 1000 && client.SendRaw(block); ++i) {
    }
    EXPECT_TRUE(client.AwaitEnd());
  }
  EXPECT_LT(HeapBytes(), before + kNoise);
}

TEST(TransportRequestLimit, ThousandsOfTinyHeaderFieldsAreRefusedWith431) {
  TestServer server;
  std::string request = "GET / HTTP/1.1\r\nHost: a\r\n";
  for (int i = 0; i < 1500; ++i) request += "h" + std::to_string(i) + ":\r\n";
  ASSERT_LT(request.size(), 16'000u);
  EXPECT_EQ(SendRequest(server.port(), request + "\r\n").status, 431);
}

TEST(TransportRequestLimit, OpenConnectionsRetainNoRequestHeaders) {
  TestServer server;
  constexpr size_t kPeers = 100;
  std::vector<WsTestClient> clients(kPeers);
  const size_t before = HeapBytes();
  for (auto& client : clients) {
    ASSERT_EQ(client.Connect(server.port(), "/v1/ws", {}, {{"X-Large", std::string(12'000, 'x')}}).status,
              101);
  }
  ASSERT_TRUE(server.Await([&] { return server.session(kPeers - 1).connection != nullptr; }));
  server.TurnLoop(2);
  EXPECT_LT(HeapBytes(), before + kPeers * 10'000 + kNoise);
}

TEST(TransportRequestLimit, APeerThatDoesNotFinishItsRequestIsDroppedAfterTheTimeOut) {
  TransportSettings settings;
  settings.handshake_timeout_ms = 50;
  TestServer server(settings);
  for (const std::string start : {"", "G", "GET / HTTP/1.1\r\nHost: a\r\nX: ",
                                  "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nonly this"}) {
    WsTestClient client;
    ASSERT_TRUE(client.Dial(server.port()));
    if (!start.empty()) client.SendRaw(start);
    EXPECT_TRUE(client.AwaitEnd()) << start;
  }
  EXPECT_TRUE(server.AwaitOpen(0));
}

TEST(TransportRequestLimit, AnOpenWebSocketAndADeferredAnswerOutliveTheHandshakeTimeOut) {
  TransportSettings settings;
  settings.handshake_timeout_ms = 30;
  TestServer server(settings);
  WsTestClient open;
  ASSERT_EQ(open.Connect(server.port(), "/echo").status, 101);
  WsTestClient waiting;
  ASSERT_TRUE(waiting.Dial(server.port()));
  waiting.SendRaw("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  // A third connection, which does time out, shows when the time has passed for the others.
  WsTestClient late;
  ASSERT_TRUE(late.Dial(server.port()));
  ASSERT_TRUE(late.AwaitEnd());
  server.OnLoop([&] {
    server.kept()[0]->Respond({200, {}, "at last"});
    server.kept().clear();
  });
  EXPECT_EQ(waiting.ReadResponse().body, "at last");
  open.SendText("still here");
  EXPECT_EQ(open.ReadData().payload, "still here");
}

TEST(TransportRequestLimit, APeerThatDoesNotReadItsResponseIsDropped) {
  TransportSettings settings;
  settings.handshake_timeout_ms = 50;
  TestServer server(settings);
  const size_t before = HeapBytes();
  WsTestClient client;
  client.set_receive_buffer_bytes(4096);
  ASSERT_TRUE(client.Dial(server.port()));
  client.SendRaw("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  server.OnLoop([&] {
    server.kept()[0]->Respond({200, {}, std::string(30'000'000, 'r')});
    server.kept().clear();
  });
  ASSERT_TRUE(server.AwaitOpen(0));
  EXPECT_LT(HeapBytes(), before + kNoise);
}

TEST(TransportRequestLimit, ABodyOverTheLimitIsRefusedWith413EvenIfThePeerSendsItAll) {
  TestServer server;
  EXPECT_EQ(HttpPost(server.port(), "/x", std::string(262'144, 'x')).status, 200);
  EXPECT_EQ(HttpPost(server.port(), "/x", std::string(262'145, 'x')).status, 413);
  EXPECT_EQ(HttpPost(server.port(), "/x", std::string(3'000'000, 'x')).status, 413);
  const std::string start = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: ";
  EXPECT_EQ(SendRequest(server.port(), start + "18446744073709551615\r\n\r\n").status, 413);
  EXPECT_EQ(SendRequest(server.port(), start + "18446744073709551616\r\n\r\n").status, 413);
}

TEST(TransportRequestLimit, ABodyWithoutAPlainLengthIsRefused) {
  TestServer server;
  const std::string start = "POST /x HTTP/1.1\r\nHost: a\r\n";
  EXPECT_EQ(SendRequest(server.port(), start + "transfer-encoding: gzip, chunked\r\n\r\n").status, 501);
  EXPECT_EQ(
      SendRequest(server.port(), start + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\nx").status,
      400);
  for (const std::string length : {"ten", "-1", "+1", "1 1", "1, 1", "0x1", ""})
    EXPECT_EQ(SendRequest(server.port(), start + "Content-Length: " + length + "\r\n\r\nx").status, 400)
        << length;
  EXPECT_EQ(SendRequest(server.port(), start + "Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc").status,
            400);
  EXPECT_EQ(SendRequest(server.port(), "nonsense\r\n\r\n").status, 400);
}

TEST(TransportConnectionLimit, OverTheTotalIsRefusedWith503UntilAConnectionEnds) {
  TransportSettings settings;
  settings.max_connections = 3;
  TestServer server(settings);
  std::vector<WsTestClient> clients(3);
  for (auto& client : clients) ASSERT_EQ(client.Connect(server.port(), "/echo").status, 101);
  for (int i = 0; i < 5; ++i) {
    WsTestClient extra;
    ASSERT_TRUE(extra.Dial(server.port()));
    EXPECT_EQ(extra.ReadResponse().status, 503);
    EXPECT_TRUE(extra.AwaitEnd());
  }
  EXPECT_EQ(server.Counts().refused_full, 5u);
  EXPECT_EQ(server.Counts().accepted, 3u);
  EXPECT_TRUE(clients[0].AnswersClose(1000));
  clients[0].Close();
  ASSERT_TRUE(server.AwaitOpen(2));
  EXPECT_EQ(clients[0].Connect(server.port(), "/echo").status, 101);
}

TEST(TransportConnectionLimit, OverTheLimitOfOneAddressOtherAddressesGetIn) {
  TransportSettings settings;
  settings.max_connections_per_address = 2;
  TestServer server(settings);
  std::vector<WsTestClient> clients(2);
  for (auto& client : clients) ASSERT_EQ(client.Connect(server.port()).status, 101);
  WsTestClient extra;
  ASSERT_TRUE(extra.Dial(server.port()));
  EXPECT_EQ(extra.ReadResponse().status, 429);
  WsTestClient other;
  other.set_source_address("127.0.0.2");
  EXPECT_EQ(other.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(2).connection != nullptr; }));
  server.OnLoop([&] { EXPECT_EQ(server.session(2).connection->address(), "127.0.0.2"); });
  EXPECT_EQ(server.Counts().refused_address, 1u);
  clients[0].Reset();
  ASSERT_TRUE(server.AwaitOpen(2));
  EXPECT_EQ(clients[0].Connect(server.port()).status, 101);
}

TEST(TransportConnectionLimit, LoopbackCanBeExemptFromTheAddressLimitButNotFromTheTotal) {
  TransportSettings settings;
  settings.max_connections_per_address = 2;
  settings.max_connections = 6;
  settings.exempt_loopback = true;
  TestServer server(settings);
  std::vector<WsTestClient> clients(6);
  for (auto& client : clients) EXPECT_EQ(client.Connect(server.port()).status, 101);
  WsTestClient extra;
  ASSERT_TRUE(extra.Dial(server.port()));
  EXPECT_EQ(extra.ReadResponse().status, 503);
}

// Leaves the process only `free` descriptors while it lives.
class DescriptorShortage {
 public:
  explicit DescriptorShortage(size_t free) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int probe = ::dup(0);
    for (int fd = ::dup(0); fd >= 0 && fd < probe + 200; fd = ::dup(0)) taken_.push_back(fd);  // fills gaps
    rlimit now = before_;
    now.rlim_cur = static_cast<rlim_t>(taken_.back()) + 1;
    ::setrlimit(RLIMIT_NOFILE, &now);
    taken_.push_back(probe);
    for (size_t i = 0; i < free; ++i) FreeOne();
  }
  ~DescriptorShortage() {
    while (!taken_.empty()) FreeOne();
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }
  void FreeOne() {
    ::close(taken_.back());
    taken_.pop_back();
  }

 private:
  rlimit before_ = {};
  std::vector<int> taken_;
};

bool AcceptFailed(const gateway::TransportCounts& counts) {
  return counts.accept_errors > 0;
}

TEST(TransportDescriptorLimit, WithoutDescriptorsTheLoopIsIdleAndAPeerGetsInWhenAConnectionEnds) {
  TransportSettings settings;
  settings.descriptor_reserve = 0;
  settings.accept_retry_ms = 3'600'000;
  TestServer server(settings);
  WsTestClient first, other;
  ASSERT_EQ(first.Connect(server.port(), "/echo").status, 101);
  ASSERT_EQ(other.Connect(server.port(), "/echo").status, 101);
  DescriptorShortage shortage(1);
  WsTestClient second;  // takes the last descriptor; the kernel completes its connection without the server
  ASSERT_TRUE(second.Dial(server.port()));
  ASSERT_TRUE(server.AwaitCounts(AcceptFailed));
  server.TurnLoop(1'000);
  EXPECT_EQ(server.Counts().accept_errors, 1u) << "a spinning accept fails once a turn";
  first.SendText("those inside are served");
  EXPECT_EQ(first.ReadData().payload, "those inside are served");
  other.Reset();
  second.SendRaw("GET /in HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(second.ReadResponse().body, "GET /in ");
}

TEST(TransportDescriptorLimit, APeerGetsInWhenAnotherPartOfTheProcessFreesADescriptor) {
  TransportSettings settings;
  settings.descriptor_reserve = 0;
  settings.accept_retry_ms = 5;
  TestServer server(settings);
  DescriptorShortage shortage(1);
  WsTestClient second;
  ASSERT_TRUE(second.Dial(server.port()));
  ASSERT_TRUE(server.AwaitCounts(AcceptFailed));
  shortage.FreeOne();
  second.SendRaw("GET /in HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(second.ReadResponse().body, "GET /in ");
}

TEST(TransportDescriptorLimit, TheLastDescriptorsAreLeftToTheRestOfTheProcess) {
  TransportSettings settings;
  settings.descriptor_reserve = 20;
  TestServer server(settings);
  DescriptorShortage shortage(22);
  WsTestClient first;
  ASSERT_EQ(first.Connect(server.port(), "/echo").status, 101);
  WsTestClient second;
  ASSERT_TRUE(second.Dial(server.port()));
  EXPECT_EQ(second.ReadResponse().status, 503);
  EXPECT_EQ(server.Counts().refused_full, 1u);
  first.SendText("those inside are served");
  EXPECT_EQ(first.ReadData().payload, "those inside are served");
}

}  // namespace
}  // namespace parley::gateway_test
