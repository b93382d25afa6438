// A tenant that enables integration events gets each of them once in its table, even after crashes.
#include <gmock/gmock.h>

#include "accounts/records/item_fields.h"
#include "ctl/ctl.h"
#include "features/events/event_inbox.h"
#include "gateway/app/node.h"
#include "storage/engine/service_rules.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/storage/memory_sealer.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class IntegrationEventsTest : public testing::Test {
 protected:
  void SetUp() override {
    Want({"message.created", "message.updated"});
    ana_.emplace(world_->Join("ana"));
    thread_ = world_.NewThread(*ana_, "ana", "bob");
  }
  // Changes the tenant's settings, as an administrator would.
  void Want(const std::vector<std::string>& types) {
    std::string list;
    for (const std::string& type : types) list += (list.empty() ? "\"" : ",\"") + type + "\"";
    world_.SetDemoSettings(R"({"events":{"types":[)" + list + "]}}");
  }
  // The type and body of each event in the inbox.
  std::vector<std::string> Inbox() {
    const storage::Sealer sealer = storage::SealerInMemory(world_.table().identity().secret);
    const accounts::RecordReads reads(world_.table(), kTenant, world_.clock().Now(), sealer);
    const auto page = features::ReadInbox(reads, {});
    std::vector<std::string> out;
    if (!page.ok()) return {"unreadable"};
    for (const features::Event& event : page->items) {
      const auto* item = event.payload.Find("item");
      out.push_back(event.type + " " + accounts::TextOf(*item->As<accounts::Item>(), "body"));
    }
    return out;
  }
  std::pair<int, std::string> Verify() {
    world_->node().worker().SaveCursors();
    std::FILE* out = std::tmpfile();
    const int code = ctl::CtlVerify(world_.table(), ctl::CtlArgs(), out, stderr);
    std::rewind(out);
    std::string text(4096, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), out));
    std::fclose(out);
    return {code, text};
  }

  World world_{DemoConfig()};
  std::optional<FakeClient> ana_;
  std::string thread_;
  uint64_t order_ = 1'000'000;
};

TEST_F(IntegrationEventsTest, are_rows_of_the_tenants_table) {
  world_.Say(*ana_, thread_, "one");
  Want({});
  world_.Say(*ana_, thread_, "two");
  world_->Settle();
  EXPECT_THAT(Inbox(), ElementsAre("message.created one"));
  EXPECT_EQ(Verify().first, ctl::kCtlClean);
}

TEST_F(IntegrationEventsTest, are_written_by_the_next_process_after_a_crash) {
  world_->HoldWorker(true);
  world_.Say(*ana_, thread_, "one");
  EXPECT_THAT(Inbox(), ElementsAre());
  world_.Restart();
  world_->Settle();
  EXPECT_THAT(Inbox(), ElementsAre("message.created one"));
  world_.Restart();
  world_->Settle();
  EXPECT_THAT(Inbox(), ElementsAre("message.created one"));
  EXPECT_EQ(Verify().first, ctl::kCtlClean);
}

TEST_F(IntegrationEventsTest, that_concern_one_user_name_that_user) {
  Want({"message.created", "card.updated"});
  world_.Say(*ana_, thread_, "one");
  ASSERT_TRUE(
      ana_->Ask("card.create", Args({{"threadId", thread_},
                                     {"clientId", "c"},
                                     {"type", "SAFETY"},
                                     {"payload", JsonArg::Raw(R"({"reason":"r","severity":"high"})")}}))
          .ok());
  world_->Settle();
  const storage::Sealer sealer = storage::SealerInMemory(world_.table().identity().secret);
  const accounts::RecordReads reads(world_.table(), kTenant, world_.clock().Now(), sealer);
  const auto page = features::ReadInbox(reads, {});
  ASSERT_TRUE(page.ok());
  std::vector<std::string> reported;
  for (const features::Event& event : page->items)
    reported.push_back(event.type + " " + accounts::TextOf(event.payload, "onlyFor"));
  EXPECT_THAT(reported, ElementsAre("message.created ", "message.created ana", "card.updated ana"));
  EXPECT_EQ(Verify().first, ctl::kCtlClean);
}

// parleyctl verify --project, on a store whose server died.
TEST_F(IntegrationEventsTest, are_written_by_parleyctl_before_it_verifies_them) {
  world_->HoldWorker(true);
  world_.Say(*ana_, thread_, "one");
  const auto before = Verify();
  EXPECT_EQ(before.first, ctl::kCtlCouldNotRun);
  EXPECT_THAT(before.second, HasSubstr("1 threads not judged"));
  EXPECT_EQ(ctl::CtlProject(world_.table(), storage::SealerInMemory(world_.table().identity().secret)), "");
  EXPECT_THAT(Inbox(), ElementsAre("message.created one"));
  EXPECT_EQ(Verify().first, ctl::kCtlClean);
}

}  // namespace
}  // namespace parley::gateway_test
