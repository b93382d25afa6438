// message.react as a decision: who may, and what is left of it.
#include "tests/threads/scene.h"

namespace parley::threads {
namespace {

const std::string kLiked = "buyer message.send body=hi; seller message.react messageId=M1 emoji=👍 on=true; ";
constexpr const char* kTakenBack = "seller message.react messageId=M1 emoji=👍 on=false";

TEST(Reactions, ones_own_is_taken_back_whatever_became_of_the_thread_the_message_or_the_member) {
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

TEST(Reactions, ones_own_is_taken_back_by_who_is_muted_or_blocked) {
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

TEST(Reactions, are_counted_beyond_the_users_that_their_message_lists) {
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

  // A listed user makes room for the first of the others.
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
