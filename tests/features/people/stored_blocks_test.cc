// Users' blocks as records.
#include "features/people/stored_blocks.h"

#include "accounts/records/item_fields.h"
#include "accounts/users/user_keys.h"
#include "tests/accounts/account_scene.h"

namespace parley::features {
namespace {

using accounts::kTenantsTable;
using accounts::RecordTransaction;
using accounts::UserNamed;
using protocol::UserId;

class BlocksTest : public testing::Test {
 protected:
  std::string Change(protocol::Status (*change)(RecordTransaction&, const UserId&, const UserId&),
                     const std::string& by, const std::string& whom) {
    return accounts::TextOf(world_.Decide<bool>([&](RecordTransaction& records) -> protocol::Result<bool> {
      PARLEY_CHECK_OK(change(records, UserNamed(by), UserNamed(whom)));
      return true;
    }));
  }
  std::string Block(const std::string& by, const std::string& whom) { return Change(&CommitBlock, by, whom); }
  std::string Unblock(const std::string& by, const std::string& whom) {
    return Change(&CommitUnblock, by, whom);
  }
  bool HiddenPairs(const std::string& a, const std::string& b) {
    return *AreBlocked(world_.Reads(), UserNamed(a), UserNamed(b));
  }
  // The blocked users: "bob carol", with "…" at the end if the page has a successor.
  std::string Of(const std::string& by, const std::string& after = "", size_t limit = 50) {
    const auto from = after.empty() ? std::nullopt : std::optional(UserNamed(after));
    const BlockPage page = *ReadBlockPage(world_.Reads(), UserNamed(by), from, limit);
    std::string out;
    for (const auto& one : page.items) out += one.user_id.ToText() + " ";
    return out + (page.more ? "…" : "");
  }
  accounts::AccountScene world_;
};

TEST_F(BlocksTest, separate_a_pair_both_ways_until_the_blocker_unblocks) {
  EXPECT_FALSE(HiddenPairs("ann", "bob"));
  EXPECT_EQ(Block("ann", "bob"), "ok");
  EXPECT_EQ(Block("ann", "bob"), "ok");
  EXPECT_TRUE(HiddenPairs("ann", "bob") && HiddenPairs("bob", "ann"));
  EXPECT_FALSE(HiddenPairs("ann", "bo"));
  EXPECT_EQ(Unblock("bob", "ann"), "ok") << "whoever did not block takes nothing back, and is not told";
  EXPECT_TRUE(HiddenPairs("ann", "bob"));
  world_.scene.Restart();
  EXPECT_TRUE(HiddenPairs("ann", "bob"));
  EXPECT_EQ(Unblock("ann", "bob"), "ok");
  EXPECT_FALSE(HiddenPairs("ann", "bob"));
}

TEST_F(BlocksTest, are_listed_in_order_and_only_for_the_blocker) {
  for (const char* whom : {"carol", "bob", "dan"}) Block("ann", whom);
  Block("an", "eve");
  Block("bob", "ann");
  EXPECT_EQ(Of("ann"), "bob carol dan ");
  EXPECT_EQ(Of("ann", "", 2), "bob carol …");
  EXPECT_EQ(Of("ann", "carol", 2), "dan ");
  EXPECT_EQ(Of("an"), "eve ");
  EXPECT_EQ(Of("dan"), "");
}

TEST_F(BlocksTest, of_oneself_and_beyond_the_limit_are_refused) {
  EXPECT_EQ(Block("ann", "ann"), "BAD_REQUEST userId");
  for (size_t i = 0; i < kBlocksMax; i += 25) {
    const auto some = world_.Decide<bool>([&](RecordTransaction& records) -> protocol::Result<bool> {
      for (size_t n = i; n < i + 25; ++n) {
        storage::Item row{{"tenant_id", records.tenant().ToText()},
                          {"user_id", "ann"},
                          {"blocked_id", "u" + std::to_string(n)}};
        accounts::SetTime(&row, "created_at", records.now());
        records.Put(kTenantsTable, "block", std::move(row));  // AddBlock would count the rows each time
      }
      PARLEY_CHECK_OK(records.Commit());
      return true;
    });
    ASSERT_TRUE(some.ok());
  }
  EXPECT_EQ(Block("ann", "bob"), "TOO_LARGE");
  EXPECT_EQ(Block("ann", "u7"), "ok") << "this one is there";
  Unblock("ann", "u7");
  EXPECT_EQ(Block("ann", "bob"), "ok");
}

TEST_F(BlocksTest, of_a_deleted_user_are_removed_step_by_step) {
  for (const char* whom : {"b", "c", "d"}) Block("ann", whom);
  Block("bob", "ann");
  const auto clear = [&] {
    return *world_.Decide<bool>(
        [&](RecordTransaction& records) { return ClearBlocks(records, UserNamed("ann"), 2); });
  };
  EXPECT_TRUE(clear());
  EXPECT_EQ(Of("ann"), "d ");
  EXPECT_FALSE(clear());
  EXPECT_EQ(Of("ann"), "");
  EXPECT_TRUE(HiddenPairs("ann", "bob")) << "what others decided stays";
}

}  // namespace
}  // namespace parley::features
