// A process dies before or after the commit of each decision: the decision is written as a whole or not at
// all, and derived records agree.
#include "tests/accounts/tokens/token_scene.h"
#include "tests/storage/engine/watched_store.h"

namespace parley::accounts {
namespace {

using testing::IsEmpty;

struct Died {};
enum class When { kBefore, kAfter };

class CrashTest : public testing::TestWithParam<When> {
 protected:
  CrashTest() : CrashTest(std::make_unique<storage::WatchedStore>("memory")) {}
  void TearDown() override { EXPECT_THAT(world_.scene.Check(), IsEmpty()); }

  // Runs `act`, which commits once, without a receiver of the result.
  void DieIn(const std::function<void()>& act) {
    const auto die = [] { throw Died(); };
    (GetParam() == When::kBefore ? store_.before_commit : store_.after_commit) = die;
    EXPECT_THROW(act(), Died);
    world_.scene.Restart();
  }
  static bool IsDone() { return GetParam() == When::kAfter; }

 private:
  explicit CrashTest(std::unique_ptr<storage::WatchedStore> store)
      : store_(*store), world_(std::move(store)) {}

 protected:
  storage::WatchedStore& store_;
  TokenScene world_;
};

TEST_P(CrashTest, a_renewal) {
  TokenScene::Device phone = world_.SignInAs("ann");
  DieIn([&] { world_.Renew(&phone); });
  EXPECT_EQ(world_.CountRows(), IsDone() ? 2u : 1u);
  EXPECT_EQ(world_.Judge(phone), "ann member");
  // The device repeats it. If it was written, the repeat cannot be distinguished from a thief's.
  EXPECT_EQ(world_.Renew(&phone), IsDone() ? "UNAUTHENTICATED" : "ok");
  EXPECT_EQ(world_.Judge(phone), IsDone() ? "UNAUTHENTICATED" : "ann member");
}

TEST_P(CrashTest, a_second_use) {
  TokenScene::Device phone = world_.SignInAs("ann");
  TokenScene::Device thief = phone;
  EXPECT_EQ(world_.Renew(&phone), "ok");
  DieIn([&] { world_.Renew(&thief); });
  EXPECT_EQ(world_.Judge(phone), IsDone() ? "UNAUTHENTICATED" : "ann member");
  EXPECT_EQ(world_.Renew(&thief), "UNAUTHENTICATED");
  EXPECT_EQ(world_.Judge(phone), "UNAUTHENTICATED");
}

TEST_P(CrashTest, a_user_made_and_changed) {
  const std::string ann = R"({"userId":"ann","email":"a@x.test","channelIdentities":{"sms":"1"}})";
  DieIn([&] { world_.Make(ann); });
  EXPECT_EQ(world_.Make(ann), IsDone() ? "ALREADY_EXISTS userId" : "ann");
  const std::string change = R"({"version":1,"email":"b@x.test","channelIdentities":{"sms":"2"}})";
  DieIn([&] { world_.Change("ann", change); });
  EXPECT_EQ(world_.Change("ann", change), IsDone() ? "VERSION_CONFLICT" : "ok");
  EXPECT_TRUE(*FindUserByEmail(world_.Reads(), "b@x.test"));
  EXPECT_TRUE(*FindUserByIdentity(world_.Reads(), "sms:2"));
  EXPECT_FALSE(*FindUserByEmail(world_.Reads(), "a@x.test"));
  EXPECT_FALSE(*FindUserByIdentity(world_.Reads(), "sms:1"));
}

TEST_P(CrashTest, a_deletion) {
  world_.Make(R"({"userId":"ann","email":"a@x.test","channelIdentities":{"sms":"1"}})");
  const TokenScene::Device phone = world_.SignInAs("ann");
  DieIn([&] { world_.Delete("ann"); });
  EXPECT_EQ(world_.Judge(phone), IsDone() ? "UNAUTHENTICATED" : "ann member");
  EXPECT_EQ(FindUserByIdentity(world_.Reads(), "sms:1")->has_value(), !IsDone());
  EXPECT_EQ(world_.Delete("ann"), IsDone() ? "NOT_FOUND" : "ok");
  const auto clear = [](RecordTransaction& records) { return ClearDeleted(records, UserNamed("ann")); };
  DieIn([&] { EXPECT_TRUE(world_.Decide<bool>(clear).ok()); });
  EXPECT_EQ(world_.CountRows(), IsDone() ? 0u : 1u);
  EXPECT_EQ(world_.Judge(phone), "UNAUTHENTICATED");
}

INSTANTIATE_TEST_SUITE_P(Commits, CrashTest, testing::Values(When::kBefore, When::kAfter),
                         [](const auto& when) { return when.param == When::kBefore ? "before" : "after"; });

}  // namespace
}  // namespace parley::accounts
