// While a session's read waits for an index, the events that must follow its reply are held in memory. They
// count against the bytes that may wait for one client.
#include <gtest/gtest.h>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

TEST(HeldEvents, count_as_unread_and_a_session_with_too_many_is_closed) {
  gateway::Config config = DemoConfig();
  config.outbox_bytes = 64 * 1024;
  World world(config);
  FakeClient ana = world->Join("ana"), bob = world->Join("bob");
  const std::string thread = world.NewThread(ana, "ana", "bob");
  bob.TakeAll();
  world->HoldWorker(true);
  world.Say(ana, thread, "not in the index yet");
  bob.Send("inbox.list");
  world->Settle();  // the read waits
  int sent = 0;
  for (; sent < 40 && bob.close_code() == 0; ++sent)
    ASSERT_TRUE(world.Say(ana, thread, std::string(8000, 'x')).ok());
  EXPECT_EQ(bob.close_code(), 4508);
  EXPECT_LE(sent, 10) << "messages of 8 KB were held";
  EXPECT_EQ(ana.close_code(), 0);
}

}  // namespace
}  // namespace parley::gateway_test
