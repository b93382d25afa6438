// Peers that violate RFC 6455 or abuse the server: each gets its close code and uses no memory.
#include <gtest/gtest.h>

#include "gateway/net/transport.h"
#include "tests/gateway/transport_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

using gateway::Connection;
using gateway::MakeFrame;
using gateway::SharedFramePtr;
using gateway::TransportSettings;

int CloseCodeFor(TestServer& server, const std::string& bytes) {
  WsTestClient client;
  EXPECT_EQ(client.Connect(server.port()).status, 101);
  client.SendRaw(bytes);
  const int code = client.ReadToClose().close_code();
  EXPECT_TRUE(client.AwaitEnd());
  return code;
}

struct Misdeed {
  const char* what;
  std::string bytes;
  int code;
};

TEST(TransportHazard, EachFramingErrorHasItsCloseCode) {
  TestServer server;
  const std::vector<Misdeed> misdeeds = {
      {"an unmasked frame", ClientFrame(1, "x", true, false), 1002},
      {"reserved bit 1", std::string("\xc1") + ClientFrame(1, "x").substr(1), 1002},
      {"reserved bit 3", std::string("\x91") + ClientFrame(1, "x").substr(1), 1002},
      {"reserved data opcode", ClientFrame(3, "x"), 1002},
      {"reserved control opcode", ClientFrame(11, "x"), 1002},
      {"a fragmented ping", ClientFrame(9, "x", false), 1002},
      {"a ping of 126 bytes", ClientFrame(9, std::string(126, 'x')), 1002},
      {"a continuation of nothing", ClientFrame(0, "x"), 1002},
      {"a message inside a message", ClientFrame(1, "x", false) + ClientFrame(1, "y"), 1002},
      {"a length in more bytes than needed", std::string("\x81\xfe\x00\x05\x00\x00\x00\x00hello", 13), 1002},
      {"a close frame of one byte", ClientFrame(8, "x"), 1002},
      {"a close code nobody may send", ClientFrame(8, std::string("\x03\xed", 2)), 1002},
      {"text that is not UTF-8", ClientFrame(1, "\xff"), 1007},
      {"an overlong encoding", ClientFrame(1, "\xc0\xaf"), 1007},
      {"a surrogate", ClientFrame(1, "\xed\xa0\x80"), 1007},
      {"text that ends inside a character", ClientFrame(1, "\xc3"), 1007},
      {"fragments that end inside a character", ClientFrame(1, "a", false) + ClientFrame(0, "\xc3"), 1007},
      {"bytes that are no UTF-8 across fragments", ClientFrame(1, "\xc3", false) + ClientFrame(0, "("), 1007},
  };
  for (const auto& misdeed : misdeeds)
    EXPECT_EQ(CloseCodeFor(server, misdeed.bytes), misdeed.code) << misdeed.what;
  EXPECT_TRUE(server.AwaitOpen(0));
}

TEST(TransportHazard, BinaryFramesNeedNotBeUtf8) {
  TestServer server;
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port(), "/echo").status, 101);
  client.SendRaw(ClientFrame(2, "\xff", false) + ClientFrame(0, "\xc3"));
  EXPECT_EQ(client.ReadData().payload, "\xff\xc3");
}

TEST(TransportHazard, AFrameOverTheLimitIsClosedWith1009BeforeItIsBuffered) {
  TestServer server;
  for (const uint64_t length : {uint64_t{262145}, uint64_t{1} << 32, ~uint64_t{0} >> 1, ~uint64_t{0}}) {
    EXPECT_EQ(CloseCodeFor(server, ClientFrameHeader(2, length)), 1009) << length;
  }
}

TEST(TransportHazard, FragmentsThatTogetherExceedTheLimitAreClosedWith1009) {
  TestServer server;
  const std::string half(131'072, 'x');
  EXPECT_EQ(
      CloseCodeFor(server, ClientFrame(2, half, false) + ClientFrame(0, half, false) + ClientFrame(0, "1")),
      1009);
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  client.SendRaw(ClientFrame(2, half, false) + ClientFrame(0, half));
  EXPECT_TRUE(server.Await([&] { return server.session(1).frame_count == 1; }));
}

TEST(TransportHazard, APeerThatSendsTheWholeOversizedFrameStillReadsThe1009) {
  TestServer server;
  for (int i = 0; i < 10; ++i) {
    WsTestClient client;
    ASSERT_EQ(client.Connect(server.port()).status, 101);
    // Several times the size of socket buffers: closing without reading it would reset the connection.
    EXPECT_TRUE(client.SendRaw(ClientFrame(2, std::string(3'000'000, 'x'))));
    EXPECT_EQ(client.ReadToClose().close_code(), 1009);
  }
}

// websocketpp 0.8.2 as installed adds the two sizes without an overflow check and buffers everything after
// it.
TEST(TransportHazard, AContinuationThatClaimsNearlyTwoToThe64IsRefusedAndBuffersNothing) {
  TestServer server;
  const std::string start = ClientFrame(2, "12345678", false);
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  const size_t before = HeapBytes();
  client.SendRaw(start + ClientFrameHeader(0, ~uint64_t{0} - 3));
  const std::string megabyte(1 << 20, 'x');
  for (int i = 0; i < 64 && client.SendRaw(megabyte); ++i) {
  }
  ASSERT_LT(HeapBytes(), before + megabyte.size() + kNoise);
  for (const uint64_t length : {~uint64_t{0}, ~uint64_t{0} - 3, ~uint64_t{0} - 7, (uint64_t{1} << 63) + 1}) {
    EXPECT_EQ(CloseCodeFor(server, start + ClientFrameHeader(0, length)), 1009) << length;
  }
}

TEST(TransportHazard, AClaimedLengthTakesNoMemoryUntilTheBytesArrive) {
  TestServer server;
  constexpr size_t kPeers = 200;
  std::vector<WsTestClient> clients(kPeers);
  for (auto& client : clients) ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(kPeers - 1).connection != nullptr; }));
  const size_t before = HeapBytes();
  const std::string claims[] = {ClientFrameHeader(2, 262'144),
                                ClientFrame(2, "x", false) + ClientFrameHeader(0, 262'143)};
  for (size_t i = 0; i < kPeers; ++i) clients[i].SendRaw(claims[i % 2]);
  const uint64_t sent = server.Counts().bytes_in;
  ASSERT_GT(sent, 0u);
  // A ping may come between fragments but not inside a frame, so one pong of each kind shows that all bytes
  // before it were read.
  clients[0].SendRaw(std::string(262'144, 'y'));
  clients[1].SendRaw(std::string(262'143, 'y'));
  ASSERT_TRUE(
      server.Await([&] { return server.session(0).frame_count + server.session(1).frame_count == 2; }));
  const size_t two_messages = 2 * 262'144;
  EXPECT_LT(HeapBytes(), before + two_messages + kPeers * 1024 + kNoise) << "the claims were for 52 MB";
}

TEST(TransportHazard, CountlessTinyFragmentsCostNoMoreThanTheirBytes) {
  TestServer server;
  server.record_frames = false;
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  const size_t before = HeapBytes();
  std::string fragments = ClientFrame(2, "", false);
  for (int i = 0; i < 100'000; ++i) fragments += ClientFrame(0, i % 2 ? "" : "x", false);
  const size_t ours = fragments.capacity();
  client.SendRaw(fragments + ClientFrame(9, "read up to here"));
  EXPECT_EQ(client.ReadFrame().payload, "read up to here");
  EXPECT_LT(HeapBytes(), before + ours + kNoise) << "50 000 bytes are pending";
  client.SendRaw(ClientFrame(0, "end"));
  ASSERT_TRUE(server.Await([&] { return server.session(0).frame_count == 1; }));
}

TEST(TransportHazard, PingsBetweenFragmentsFromAPeerThatDoesNotReadCostNoMemory) {
  TestServer server;
  server.record_frames = false;
  WsTestClient client;
  client.set_receive_buffer_bytes(4096);
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  const size_t before = HeapBytes();
  client.SendRaw(ClientFrame(1, "a", false));
  std::string pings;
  for (int i = 0; i < 1000; ++i) pings += ClientFrame(9, std::string(120, 'p'));
  // More pongs than the socket buffers of both sides can take.
  constexpr int kRounds = 400;
  for (int i = 0; i < kRounds; ++i) ASSERT_TRUE(client.SendRaw(pings));
  client.SendRaw(ClientFrame(9, "latest") + ClientFrame(0, "b"));
  ASSERT_TRUE(server.Await([&] { return server.session(0).frame_count == 1; }));
  server.OnLoop([&] { EXPECT_LE(server.session(0).connection->BufferedBytes(), 1000u); });
  EXPECT_LT(HeapBytes(), before + pings.capacity() + kNoise);
  WsFrame frame = client.ReadFrame();
  int pongs = 0;
  for (; frame.ok() && frame.payload != "latest"; frame = client.ReadFrame()) ++pongs;
  EXPECT_EQ(frame.opcode, 10) << "the latest ping is answered";
  EXPECT_LT(pongs, kRounds * 1000);
}

TEST(TransportHazard, ASlowReaderIsClosedItsQueueIsFreedAndItReadsTheCodeLater) {
  TestServer server;
  WsTestClient client;
  client.set_receive_buffer_bytes(4096);
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  const size_t before = HeapBytes();
  for (int i = 0; i < 40; ++i) {
    server.OnLoop([&] { server.session(0).connection->Send(MakeFrame(std::string(1'000'000, 'x'), true)); });
  }
  server.TurnLoop(3);
  EXPECT_GT(HeapBytes(), before + 20'000'000);
  server.OnLoop([&] {
    Connection* connection = server.session(0).connection;
    connection->Close(4508, "too slow", true);
    // The rest is the half-written frame and the close frame.
    EXPECT_LT(connection->BufferedBytes(), 1'100'000u);
  });
  EXPECT_LT(HeapBytes(), before + 1'100'000 + kNoise);
  const WsFrame close = client.ReadToClose();
  EXPECT_EQ(close.close_code(), 4508);
  EXPECT_EQ(close.close_reason(), "too slow");
  client.SendClose(4508);
  EXPECT_TRUE(server.Await([&] { return server.session(0).closed == 1; }));
}

TEST(TransportHazard, ASlowReaderThatNeverReadsAgainIsDroppedAfterTheTimeOut) {
  TransportSettings settings;
  settings.close_timeout_ms = 50;
  TestServer server(settings);
  WsTestClient client;
  client.set_receive_buffer_bytes(4096);
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  const size_t before = HeapBytes();
  server.OnLoop([&] {
    const SharedFramePtr frame = MakeFrame(std::string(1'000'000, 'x'), true);
    for (int i = 0; i < 40; ++i) server.session(0).connection->Send(frame);
  });
  server.TurnLoop(3);
  server.OnLoop([&] { server.session(0).connection->Close(4508, "too slow", true); });
  ASSERT_TRUE(server.Await([&] { return server.session(0).closed == 1; }));
  server.TurnLoop(3);
  EXPECT_TRUE(server.AwaitOpen(0));
  EXPECT_LT(HeapBytes(), before + kNoise);
  EXPECT_TRUE(client.AwaitEnd());
}

TEST(TransportHazard, APeerThatFloodsAfterOurCloseCostsNoMemory) {
  TransportSettings settings;
  settings.close_timeout_ms = 200;
  TestServer server(settings);
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  const size_t before = HeapBytes();
  server.OnLoop([&] { server.session(0).connection->Close(4401, "", false); });
  const std::string flood = ClientFrame(2, std::string(200'000, 'x'));
  while (client.SendRaw(flood)) {
  }
  EXPECT_TRUE(server.Await([&] { return server.session(0).closed == 1; }));
  EXPECT_EQ(server.See(0).frame_count, 0u);
  EXPECT_LT(HeapBytes(), before + 2 * flood.capacity() + kNoise);
}

TEST(TransportHazard, AnIdleConnectionCostsNoMoreThanTheTarget) {
  TestServer server;
  constexpr size_t kPeers = 200;
  std::vector<WsTestClient> clients(kPeers + 10);
  size_t before = 0;
  for (size_t i = 0; i < clients.size(); ++i) {
    if (i == 10) before = HeapBytes();  // the first ones allocate shared tables and caches
    ASSERT_EQ(clients[i].Connect(server.port(), "/echo", {}, {{"User-Agent", std::string(2000, 'u')}}).status,
              101);
    clients[i].SendText("hello");
    ASSERT_EQ(clients[i].ReadData().payload, "hello");
  }
  server.TurnLoop(3);
  const size_t each = (HeapBytes() - before) / kPeers;
  RecordProperty("heap_bytes_per_idle_connection", static_cast<int>(each));
  std::printf("heap per idle connection, with both ends of the test: %zu bytes\n", each);
  EXPECT_LT(each, 10'240u);
}

}  // namespace
}  // namespace parley::gateway_test
