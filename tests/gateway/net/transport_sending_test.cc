// Output of the transport (gateway/net/transport.h) over real sockets: order, one write a turn, readers that
// are slow or gone. With and without io_uring.
#include <gtest/gtest.h>

#include "gateway/net/batch_writer.h"
#include "gateway/net/transport.h"
#include "tests/gateway/transport_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

using gateway::MakeFrame;
using gateway::SharedFramePtr;
using gateway::TransportSettings;

// The parameter: use io_uring. On a machine that forbids it both are the same.
class TransportSending : public testing::TestWithParam<bool> {
 protected:
  static TransportSettings Settings() {
    TransportSettings settings;
    settings.io_uring = GetParam();
    return settings;
  }
};
INSTANTIATE_TEST_SUITE_P(Each, TransportSending, testing::Bool());

TEST_P(TransportSending, OneSharedFrameReachesEveryConnectionInOrder) {
  TestServer server(Settings());
  std::vector<WsTestClient> clients(5);
  for (auto& client : clients) ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(4).connection != nullptr; }));
  const SharedFramePtr first = MakeFrame("one", false);
  const SharedFramePtr second = MakeFrame(std::string(70'000, 'b'), true);
  EXPECT_EQ(FrameBytes(*first), 5u);
  EXPECT_EQ(FrameBytes(*second), 70'010u);
  server.OnLoop([&] {
    for (size_t i = 0; i < clients.size(); ++i) {
      server.session(i).connection->Send(first);
      server.session(i).connection->Send(second);
    }
  });
  for (auto& client : clients) {
    EXPECT_EQ(client.ReadData().payload, "one");
    const WsFrame frame = client.ReadData();
    EXPECT_EQ(frame.opcode, 2);
    EXPECT_EQ(frame.payload.size(), 70'000u);
  }
  server.TurnLoop(2);
  EXPECT_EQ(first.use_count(), 1) << "a frame that was written is held by nobody";
}

TEST_P(TransportSending, OutputOfOneTurnIsWrittenAtOnce) {
  TestServer server(Settings());
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  server.TurnLoop(2);
  const uint64_t before = server.Counts().writes;
  server.OnLoop([&] {
    for (int i = 0; i < 50; ++i) server.session(0).connection->Send(MakeFrame(std::to_string(i), false));
    EXPECT_EQ(server.session(0).connection->BufferedBytes(), 10u * 3 + 40u * 4);
  });
  for (int i = 0; i < 50; ++i) ASSERT_EQ(client.ReadData().payload, std::to_string(i));
  EXPECT_EQ(server.Counts().writes, before + 1);
}

TEST_P(TransportSending, TheTurnEndHookRunsBeforeTheFlush) {
  TestServer server(Settings());
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  bool say = false;
  server.OnLoop([&] {
    server.transport().OnTurnEnd([&] {
      if (std::exchange(say, false)) server.session(0).connection->Send(MakeFrame("from the hook", false));
    });
  });
  const uint64_t before = server.Counts().writes;
  server.OnLoop([&] {
    say = true;
    server.session(0).connection->Send(MakeFrame("from a handler", false));
  });
  EXPECT_EQ(client.ReadData().payload, "from a handler");
  EXPECT_EQ(client.ReadData().payload, "from the hook");
  EXPECT_EQ(server.Counts().writes, before + 1);
}

TEST_P(TransportSending, BufferedBytesCountsEverythingNotYetInTheKernelAndOnWritableFollows) {
  TestServer server(Settings());
  WsTestClient client;
  client.set_receive_buffer_bytes(4096);
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  const SharedFramePtr frame = MakeFrame(std::string(100'000, 'x'), true);
  constexpr int kFrames = 200;
  uint64_t out_before = 0;
  server.OnLoop([&] {
    out_before = server.transport().Counts().bytes_out;
    for (int i = 0; i < kFrames; ++i) server.session(0).connection->Send(frame);
  });
  server.TurnLoop(3);
  server.OnLoop([&] {
    const size_t buffered = server.session(0).connection->BufferedBytes();
    const uint64_t written = server.transport().Counts().bytes_out - out_before;
    EXPECT_GT(buffered, 10'000'000u);
    EXPECT_EQ(buffered + written, kFrames * FrameBytes(*frame));
    EXPECT_EQ(server.session(0).writable, 0);
  });
  for (int i = 0; i < kFrames; ++i) ASSERT_EQ(client.ReadData().payload.size(), 100'000u);
  ASSERT_TRUE(server.Await([&] { return server.session(0).writable == 1; }));
  server.OnLoop([&] { EXPECT_EQ(server.session(0).connection->BufferedBytes(), 0u); });
}

TEST_P(TransportSending, ASlowReaderAndADeadPeerDoNotDelayTheOthersOfTheTurn) {
  TransportSettings settings = Settings();
  settings.max_connections_per_address = 1000;
  TestServer server(settings);
  constexpr size_t kClients = 300;  // more than are written in one system call
  constexpr size_t kSlow = 7, kDead = 8;
  std::vector<WsTestClient> clients(kClients);
  clients[kSlow].set_receive_buffer_bytes(4096);
  for (auto& client : clients) ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(kClients - 1).connection != nullptr; }));
  const SharedFramePtr large = MakeFrame(std::string(4 << 20, 'x'), true);
  const auto send = [&](const SharedFramePtr& frame) {
    for (size_t i = 0; i < kClients; ++i) {
      if (auto* const connection = server.session(i).connection) connection->Send(frame);
    }
  };
  server.OnLoop([&] {
    server.session(kSlow).connection->Send(large);
    send(MakeFrame("one", false));
  });
  clients[kDead].Reset();
  server.OnLoop([&] { send(MakeFrame("two", false)); });
  server.OnLoop([&] { send(MakeFrame("three", false)); });
  for (size_t i = 0; i < kClients; ++i) {
    if (i == kDead) continue;
    if (i == kSlow) {
      ASSERT_EQ(clients[i].ReadData().payload.size(), size_t{4} << 20);
    }
    for (const char* const each : {"one", "two", "three"})
      ASSERT_EQ(clients[i].ReadData().payload, each) << i;
  }
  EXPECT_TRUE(server.Await([&] { return server.session(kDead).closed == 1; }));
  if (!GetParam()) {
    EXPECT_EQ(server.Counts().batched, 0u);
  } else if (gateway::BatchWriter::New()) {
    EXPECT_GE(server.Counts().batched, kClients - 2);
  }
}

}  // namespace
}  // namespace parley::gateway_test
