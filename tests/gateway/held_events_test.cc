// Events that a session must hear after the answer of a read that waits for an index are held in memory: they
// are bounded like everything that waits for a client.
#include <gtest/gtest.h>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

TEST(HeldEvents, count_as_unread_and_close_a_session_that_has_too_many) {
  gateway::Config config = DemoConfig();
  config.outbox_bytes = 64 * 1024;
  World world(config);
  FakeClient ana = world->Join("ana"), bob = world->Join("bob");
  const std::string thread = world.NewThread(ana, "ana", "bob");
  bob.TakeAll();
  world->HoldWorker(true);
  world.Say(ana, thread, "not in the index yet");
  bob.Send("inbox.list");
  world->Settle();  // it waits
  int sent = 0;
  for (; sent < 40 && bob.close_code() == 0; ++sent)
    ASSERT_TRUE(world.Say(ana, thread, std::string(8000, 'x')).ok());
  EXPECT_EQ(bob.close_code(), 4508);
  EXPECT_LE(sent, 10) << "messages of 8 KB were held";
  EXPECT_EQ(ana.close_code(), 0);
}

}  // namespace
}  // namespace parley::gateway_test
