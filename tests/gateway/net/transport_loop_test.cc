// The transport's loop: tasks, timers, signals, stopping, listening.
#include <gtest/gtest.h>

#include <csignal>

#include "gateway/net/transport.h"
#include "tests/gateway/transport_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

using gateway::MakeFrame;
using gateway::TransportSettings;

TEST(TransportLoop, RunsTasksOfOneThreadInOrderAndTheTasksOfAllThreads) {
  TestServer server;
  constexpr int kThreads = 4;
  constexpr int kTasks = 5000;
  std::vector<std::vector<int>> ran(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kTasks; ++i) {
        server.transport().Post([&ran, t, i] { ran[static_cast<size_t>(t)].push_back(i); });
      }
    });
  }
  for (auto& thread : threads) thread.join();
  server.OnLoop([&] {
    for (const auto& one : ran) {
      ASSERT_EQ(one.size(), static_cast<size_t>(kTasks));
      for (int i = 0; i < kTasks; ++i) ASSERT_EQ(one[static_cast<size_t>(i)], i);
    }
  });
}

TEST(TransportLoop, TimersFireInOrderUnlessDestroyed) {
  TestServer server;
  std::vector<int> fired;
  std::vector<std::unique_ptr<gateway::Timer>> timers;
  std::promise<void> done;
  server.OnLoop([&] {
    auto& loop = server.transport();
    timers.push_back(loop.CallAfter(40, [&] { fired.push_back(3); }));
    timers.push_back(loop.CallAfter(20, [&] { fired.push_back(2); }));
    timers.push_back(loop.CallAfter(0, [&] {
      fired.push_back(1);
      timers[3].reset();
      timers[2].reset();  // itself
    }));
    timers.push_back(loop.CallAfter(30, [&] { fired.push_back(-1); }));
    timers.push_back(loop.CallAfter(60, [&] { done.set_value(); }));
  });
  done.get_future().wait();
  server.OnLoop([&] {
    EXPECT_EQ(fired, (std::vector<int>{1, 2, 3}));
    timers.clear();
  });
}

TEST(TransportLoop, TensOfThousandsOfTimersUseMemoryOnlyWhileTheyAreSet) {
  TestServer server;
  const size_t before = HeapBytes();
  server.OnLoop([&] {
    std::vector<std::unique_ptr<gateway::Timer>> timers;
    for (int i = 0; i < 50'000; ++i) timers.push_back(server.transport().CallAfter(60'000 + i % 1000, [] {}));
    EXPECT_LT(HeapBytes() - before, 50'000u * 256);
  });
  EXPECT_LT(HeapBytes(), before + 100'000);
}

TEST(TransportLoop, ATimerMayOutliveTheTransport) {
  std::unique_ptr<gateway::Timer> timer;
  {
    TestServer server;
    server.OnLoop([&] { timer = server.transport().CallAfter(60'000, [] { FAIL(); }); });
    server.Destroy();
  }
  timer.reset();
}

TEST(TransportLoop, SignalsArriveOnTheLoop) {
  TestServer server;
  std::promise<std::pair<int, std::thread::id>> got;
  std::thread::id loop_thread;
  server.OnLoop([&] {
    loop_thread = std::this_thread::get_id();
    server.transport().OnSignals([&](int number) { got.set_value({number, std::this_thread::get_id()}); });
  });
  ::raise(SIGTERM);
  const auto [number, thread] = got.get_future().get();
  EXPECT_EQ(number, SIGTERM);
  EXPECT_EQ(thread, loop_thread);
}

TEST(TransportLoop, StoppingDropsConnectionsAndCallsEveryHandlerOnce) {
  TestServer server;
  std::vector<WsTestClient> clients(3);
  for (auto& client : clients) ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(2).connection != nullptr; }));
  WsTestClient half;
  ASSERT_TRUE(half.Dial(server.port()));
  half.SendRaw("GET / HT");
  WsTestClient waiting;
  ASSERT_TRUE(waiting.Dial(server.port()));
  waiting.SendRaw("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(server.Await([&] { return server.kept().size() == 1; }));
  server.OnLoop([&] { server.session(0).connection->Send(MakeFrame("flushed", false)); });
  server.Stop();
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(server.See(i).closed, 1);
  EXPECT_EQ(clients[0].ReadFrame().payload, "flushed");
  for (auto& client : clients) EXPECT_TRUE(client.AwaitEnd());
  EXPECT_TRUE(half.AwaitEnd());
  server.Destroy();
  server.kept()[0]->Respond({200, {}, "to nobody"});
  server.kept().clear();
}

TEST(TransportLoop, ATransportThatNeverRanReleasesItsPort) {
  auto first = gateway::NewTransport();
  TestServer handler;
  ASSERT_EQ(first->Listen({}, &handler), "");
  TransportSettings same;
  same.port = first->port();
  auto second = gateway::NewTransport();
  const std::string error = second->Listen(same, &handler);
  EXPECT_NE(error.find("127.0.0.1:" + std::to_string(same.port)), std::string::npos) << error;
  EXPECT_NE(error.find("in use"), std::string::npos) << error;
  first.reset();
  auto third = gateway::NewTransport();
  EXPECT_EQ(third->Listen(same, &handler), "");
}

TEST(TransportLoop, StopAcceptingKeepsOpenConnections) {
  TestServer server;
  WsTestClient client;
  ASSERT_EQ(client.Connect(server.port(), "/echo").status, 101);
  server.OnLoop([&] { server.transport().StopAccepting(); });
  WsTestClient late;
  EXPECT_FALSE(late.Dial(server.port()));
  client.SendText("still");
  EXPECT_EQ(client.ReadData().payload, "still");
}

TEST(TransportListen, ReportsFailuresInWords) {
  TestServer handler;
  TransportSettings settings;
  settings.host = "no.such.host.invalid";
  EXPECT_NE(gateway::NewTransport()->Listen(settings, &handler).find("no such address"), std::string::npos);
  settings.host = "192.0.2.1";  // no host's address (RFC 5737)
  EXPECT_NE(gateway::NewTransport()->Listen(settings, &handler), "");
  settings.host = "127.0.0.1";
  settings.tls_certificate = "/nonexistent.pem";
  EXPECT_NE(gateway::NewTransport()->Listen(settings, &handler).find("both"), std::string::npos);
  settings.tls_key = "/nonexistent.key";
  EXPECT_NE(gateway::NewTransport()->Listen(settings, &handler).find("/nonexistent.pem"), std::string::npos);
}

}  // namespace
}  // namespace parley::gateway_test
