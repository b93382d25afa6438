// Every read checks membership, and reads that belong together use one snapshot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "storage/forwarding_table.h"
#include "tests/gateway/fake_server_support.h"
#include "threads/text/policy.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;

TEST(ReadGuards, every_read_of_a_thread_requires_membership_and_does_not_reveal_the_thread) {
  World world(DemoConfig());
  FakeClient ana = world->Join("ana"), eve = world->Join("eve"), bob = world->Join("bob");
  const std::string thread = world.NewThread(ana, "ana", "bob");
  const std::string removed = world.NewThread(ana, "ana", "carl", {"eve"});
  world.Say(ana, thread, "secret");
  ASSERT_TRUE(ana.Ask("participant.remove", Args({{"threadId", removed}, {"userId", "eve"}})).ok());
  const std::vector<std::pair<std::string, std::vector<std::pair<std::string, JsonArg>>>> reads = {
      {"thread.get", {}},       {"thread.open", {}},
      {"message.list", {}},     {"thread.changes", {{"afterSeq", 0}}},
      {"participant.list", {}}, {"tab.get", {{"tab", "brief"}}},
      {"card.list", {}},        {"inbox.explain", {}}};
  for (const auto& [op, more] : reads) {
    const auto ask = [&](FakeClient& client, const std::string& name) {
      auto args = more;
      args.emplace_back("threadId", name);
      return client.Ask(op, Args(args));
    };
    for (const std::string& name : {thread, removed, std::string("thrd_00000000000000000000000000")})
      EXPECT_EQ(ask(eve, name).error(), "THREAD_NOT_MEMBER") << op << " of " << name;
    const Frame read = ask(bob, thread);
    EXPECT_TRUE(read.ok() || read.error() == "NOT_FOUND") << op << ": " << read.Json();
  }
}

// Counts reads that bypass a snapshot.
class CountingTable final : public storage::ForwardingTable {
 public:
  using ForwardingTable::ForwardingTable;
  storage::Status Get(const storage::PartitionKey& partition, const storage::SortKey& sort,
                      std::optional<storage::Row>* out) const override {
    ++direct;
    return ForwardingTable::Get(partition, sort, out);
  }
  storage::Status MultiGet(std::span<const storage::RowKey> keys,
                           std::vector<std::optional<storage::Row>>* out) const override {
    ++direct;
    return ForwardingTable::MultiGet(keys, out);
  }
  storage::Status Scan(const storage::PartitionKey& partition, const storage::SortRange& range,
                       storage::Direction direction, size_t limit,
                       const storage::RowVisitor& visit) const override {
    ++direct;
    return ForwardingTable::Scan(partition, range, direction, limit, visit);
  }
  const storage::Reader& InMemory() const override { return *this; }
  mutable size_t direct = 0;
};

TEST(ReadGuards, catch_up_and_opening_a_thread_read_only_from_snapshots) {
  FakeClock clock;
  FakeLoop loop(clock);
  const auto memory = storage::NewMemoryTable();
  CountingTable table(memory.get());
  FakeServer server(clock, loop, table, DemoConfig(), 1);
  FakeClient ana = server.Join("ana");
  const std::string thread =
      ana.Ask("thread.create", Args({{"kind", "project"}, {"buyerUserId", "ana"}, {"sellerUserId", "bob"}}))
          .Text("ok.thread.threadId");
  FakeClient bob = server.Connect();
  table.direct = 0;
  const std::string resume =
      Args({{"epoch", table.identity().epoch}, {"threads", JsonArg::Raw(Args({{thread, 0}}))}});
  EXPECT_TRUE(bob.Hello(server.Token("bob"), R"("resume":)" + resume).ok());
  EXPECT_THAT(Lines(bob.TakeEvents()), ElementsAre("thread.created 1", "participant.added 2",
                                                   "participant.added 3", "thread.synced 3"));
  EXPECT_TRUE(bob.Ask("thread.open", Args({{"threadId", thread}})).ok());
  EXPECT_EQ(table.direct, 0u);
}

}  // namespace
}  // namespace parley::gateway_test
