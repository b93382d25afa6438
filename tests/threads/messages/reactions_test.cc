// message.react as a decision: permission, and the remaining reactions.
#include "tests/threads/scene.h"

namespace parley::threads {
namespace {

const std::string kLiked = "buyer message.send body=hi; seller message.react messageId=M1 emoji=👍 on=true; ";
constexpr const char* kTakenBack = "seller message.react messageId=M1 emoji=👍 on=false";

TEST(Reactions, a_user_can_remove_their_own_in_any_state_of_thread_message_and_membership) {
  ExpectRows({
      {kLiked + "ann(admin) thread.setStatus status=locked reason=r", kTakenBack,
       "7 message.updated M1 buyer 'hi'"},
      {kLiked + "ann(admin) thread.setStatus status=archived reason=r", kTakenBack,
       "7 message.updated M1 buyer 'hi'"},
      {kLiked + "service participant.update userId=seller permission=read", kTakenBack,
       "7 message.updated M1 buyer 'hi'"},
      {kLiked + "buyer message.delete messageId=M1", kTakenBack, "7 message.updated M1 buyer '' deleted"},
      {kLiked + "ann(admin) thread.setStatus status=locked reason=r",
       "seller message.react messageId=M1 emoji=🎉 on=true", "THREAD_LOCKED"},
      {kLiked + "service participant.update userId=seller permission=read",
       "seller message.react messageId=M1 emoji=🎉 on=true", "FORBIDDEN"},
      {kLiked, "carol message.react messageId=M1 emoji=👍 on=false", "THREAD_NOT_MEMBER"},
  });
}

TEST(Reactions, a_muted_or_blocked_user_can_remove_their_own) {
  Scene scene;
  scene.Given("buyer thread.create; " + kLiked);
  scene.sanctions["seller"] = {protocol::UserState::kMuted, {}};
  scene.blocks.insert({"buyer", "seller"});
  EXPECT_EQ(scene.Do("seller message.react messageId=M1 emoji=🎉 on=true"), "FORBIDDEN");
  EXPECT_EQ(scene.Do(kTakenBack), "6 message.updated M1 buyer 'hi'");
}

std::string ListOf(Scene& scene) {
  return scene.Reply("reactions.0.count") + ": " + scene.Reply("reactions.0.userIds.*");
}

TEST(Reactions, are_counted_beyond_the_users_listed_with_the_message) {
  Scene scene;
  scene.command_limits.max_listed_reactors = 2;
  scene.Given(
      "buyer thread.create; service participant.add userId=carol; service participant.add userId=dave; "
      "buyer message.send body=hi; buyer message.react messageId=M1 emoji=👍 on=true; "
      "seller message.react messageId=M1 emoji=👍 on=true; dave message.react messageId=M1 emoji=👍 on=true");
  EXPECT_TRUE(scene.Do("carol message.react messageId=M1 emoji=👍 on=true").ends_with("👍x4"));
  EXPECT_EQ(ListOf(scene), "4: buyer seller");
  const auto has_row = [&](const char* user) {
    return *scene.Rows(TenantId{"demo"})
                .Exists(scene.ThreadNamed("T"), ReactionKey(scene.MessageNamed("M1"), "👍", UserId{user}));
  };
  EXPECT_TRUE(has_row("carol") && has_row("dave"));
  EXPECT_EQ(scene.Do("dave message.react messageId=M1 emoji=👍 on=true"), "nothing") << "once per user";

  // The first unlisted user takes the place of a listed one.
  EXPECT_TRUE(scene.Do("buyer message.react messageId=M1 emoji=👍 on=false").ends_with("👍x3"));
  EXPECT_EQ(ListOf(scene), "3: seller carol");
  EXPECT_FALSE(has_row("carol"));
  EXPECT_TRUE(scene.Do("dave message.react messageId=M1 emoji=👍 on=false").ends_with("👍x2"));
  EXPECT_FALSE(has_row("dave"));
  EXPECT_EQ(scene.Do("dave message.react messageId=M1 emoji=👍 on=false"), "nothing");
  scene.Given("seller message.react messageId=M1 emoji=👍 on=false");
  EXPECT_TRUE(scene.Do("carol message.react messageId=M1 emoji=👍 on=false").ends_with("'hi'"));
}

}  // namespace
}  // namespace parley::threads
