// Tests the index of threads by LBG and by leg.
#include "tests/fanout/fanout_scene.h"
#include "tests/fanout/naive_index.h"

namespace parley::fanout {
namespace {

class ProjectIndexTest : public testing::Test {
 protected:
  void TearDown() override { ExpectExactIndexes(*scene.core.table); }
  std::string Of(const std::string& who, const std::string& where) {
    return scene.Read(who + " thread.byProject " + where, "threads.*.threadId");
  }
  FanoutScene scene;
};

TEST_F(ProjectIndexTest, a_thread_bound_to_both_is_found_under_both) {
  scene.Run("buyer thread.create; service thread.promote lbgId=L1 legId=G1 eventId=e");
  EXPECT_EQ(Of("buyer", "lbgId=L1") + " " + Of("buyer", "legId=G1"), "T T");
  EXPECT_EQ(Of("buyer", "lbgId=G1") + Of("buyer", "legId=L1"), "") << "legs and groups have separate names";
}

TEST_F(ProjectIndexTest, a_rebound_thread_moves) {
  scene.Run("buyer thread.create kind=project legId=G1 lbgId=L1");
  scene.Run("service thread.promote legId=G2 eventId=e");
  EXPECT_EQ(Of("buyer", "legId=G1") + "|" + Of("buyer", "legId=G2") + "|" + Of("buyer", "lbgId=L1"), "|T|T");
  scene.Do("service thread.promote legId=G3 eventId=f; service thread.promote lbgId=L2 legId=G1 eventId=g");
  scene.Settle();
  EXPECT_EQ(Of("buyer", "legId=G1") + "|" + Of("buyer", "legId=G2") + Of("buyer", "legId=G3") + "|" +
                Of("buyer", "lbgId=L1") + "|" + Of("buyer", "lbgId=L2"),
            "T|||T");
}

TEST_F(ProjectIndexTest, threads_are_in_order_of_creation_despite_new_messages) {
  for (const char* line :
       {"buyer thread.create kind=project lbgId=L1", "buyer thread.create",
        "buyer thread.create kind=project lbgId=L1", "buyer message.send body=x threadId=T3",
        "buyer message.send body=x", "service thread.promote threadId=T2 lbgId=L1 eventId=e"}) {
    scene.core.clock.Advance(1000);
    ASSERT_EQ(scene.Run(line), "ok");
  }
  EXPECT_EQ(Of("buyer", "lbgId=L1"), "T T2 T3");
  EXPECT_EQ(scene.Read("buyer thread.byProject lbgId=L1", "threads.0.lastMsgNo"), "1")
      << "the threads' current state";
}

TEST_F(ProjectIndexTest, a_page_skips_many_threads_of_others) {
  std::string lines = "buyer thread.create kind=project lbgId=L1;";
  for (int i = 0; i < 150; ++i) lines += "service thread.create kind=project lbgId=L1 buyerUserId=eve;";
  scene.Run(lines + "buyer thread.create kind=project lbgId=L1");
  EXPECT_EQ(Of("buyer", "lbgId=L1"), "T T152");
  EXPECT_EQ(threads::SplitText(Of("eve", "lbgId=L1 limit=100"), ' ').size(), 100u);
}

TEST_F(ProjectIndexTest, a_user_sees_their_own_threads_and_services_and_staff_see_all) {
  scene.Run(
      "buyer thread.create kind=project legId=G1; service thread.create kind=project legId=G1 "
      "buyerUserId=eve");
  scene.Run(
      "service thread.create kind=project legId=G1 sellerUserId=eve; seller participant.remove userId=buyer");
  EXPECT_EQ(Of("buyer", "legId=G1"), "T3");
  EXPECT_EQ(Of("seller", "legId=G1"), "T T2");
  EXPECT_EQ(Of("eve", "legId=G1"), "T2 T3");
  EXPECT_EQ(Of("service", "legId=G1"), "T T2 T3");
  EXPECT_EQ(Of("service(eve)", "legId=G1"), "T2 T3");
  EXPECT_EQ(Of("ann(support)", "legId=G1"), "T T2 T3");
  EXPECT_EQ(Of("dan", "legId=G1") + Of("service@acme", "legId=G1"), "");
}

TEST_F(ProjectIndexTest, pages_continue_past_threads_hidden_from_the_caller) {
  for (int i = 0; i < 30; ++i) {
    const char* who = i % 3 == 0 ? "buyerUserId=eve" : "buyerUserId=buyer";
    scene.core.Submit("service thread.create kind=project legId=G1 " + std::string(who));
  }
  scene.Settle();
  std::string all, cursor;
  int pages = 0;
  do {
    const std::string line =
        "eve thread.byProject legId=G1 limit=4" + (cursor.empty() ? "" : " cursor='" + cursor + "'");
    const std::string page = scene.Read(line, "threads.*.threadId");
    all += (all.empty() || page.empty() ? "" : " ") + page;
    cursor = scene.Read(line, "cursor");
  } while (cursor != "null" && ++pages < 20);
  EXPECT_EQ(all, "T T4 T7 T10 T13 T16 T19 T22 T25 T28");
}

TEST_F(ProjectIndexTest, a_request_names_exactly_one_of_the_two) {
  EXPECT_EQ(Of("buyer", ""), "BAD_REQUEST");
  EXPECT_EQ(Of("buyer", "legId=G1 lbgId=L1"), "BAD_REQUEST");
  scene.Run("buyer thread.create kind=project legId=G1; buyer thread.create kind=project legId=G1");
  const std::string cursor = scene.Read("buyer thread.byProject legId=G1 limit=1", "cursor");
  EXPECT_EQ(Of("buyer", "legId=G1 cursor='" + cursor + "'"), "T2");
  EXPECT_EQ(Of("buyer", "legId=G2 cursor='" + cursor + "'"), "BAD_REQUEST cursor");
  EXPECT_EQ(Of("buyer", "lbgId=G1 cursor='" + cursor + "'"), "BAD_REQUEST cursor");
  EXPECT_EQ(Of("seller", "legId=G1 cursor='" + cursor + "'"), "BAD_REQUEST cursor");
}

}  // namespace
}  // namespace parley::fanout
