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
  scene.conducts["seller"] = {protocol::UserState::kMuted, {}};
  scene.blocks.insert({"buyer", "seller"});
  EXPECT_EQ(scene.Do("seller message.react messageId=M1 emoji=🎉 on=true"), "FORBIDDEN");
  EXPECT_EQ(scene.Do(kTakenBack), "6 message.updated M1 buyer 'hi'");
}

}  // namespace
}  // namespace parley::threads
