#include "protocol/base/fair_queue.h"

#include <gmock/gmock.h>

namespace parley::protocol {
namespace {

using testing::ElementsAre;

std::string Drained(FairQueue<int>* queue) {
  std::string out;
  while (const auto job = queue->Pop()) out += std::to_string(*job) + " ";
  return out;
}
bool Push(FairQueue<int>* queue, const char* owner, int job) {
  return queue->Push(owner, job);
}

TEST(FairQueue, owners_take_turns_and_each_is_served_in_order) {
  FairQueue<int> queue(100);
  for (int i : {1, 2, 3}) EXPECT_TRUE(Push(&queue, "a", i));
  for (int i : {10, 20}) EXPECT_TRUE(Push(&queue, "b", i));
  EXPECT_EQ(queue.Pop(), 1);
  EXPECT_TRUE(Push(&queue, "c", 100));
  EXPECT_EQ(Drained(&queue), "10 2 100 20 3 ");
  EXPECT_TRUE(queue.empty());
}

TEST(FairQueue, an_owner_who_fills_their_share_leaves_room_for_others) {
  FairQueue<int> queue(8);
  const auto fill = [&](const char* owner) {
    int taken = 0;
    while (Push(&queue, owner, taken)) ++taken;
    return taken;
  };
  EXPECT_EQ(fill("a"), 4);
  EXPECT_EQ(fill("b"), 2);
  EXPECT_EQ(fill("c"), 1);
  EXPECT_EQ(fill("d"), 1);
  EXPECT_EQ(fill("e"), 0) << "as many owners as there are places";
  int left = 7;
  EXPECT_FALSE(queue.Push("a", left));
  EXPECT_EQ(left, 7) << "a job that is refused is left as it was";
  queue.Add("a", left);
  EXPECT_EQ(queue.size(), 9u);
}

TEST(FairQueue, a_job_may_name_its_owner) {
  FairQueue<std::string> queue(100);
  for (const char* name : {"a", "a", "b", "a", "b"}) {
    std::string job = name;
    EXPECT_TRUE(queue.Push(job, job));
  }
  std::string order;
  while (const auto job = queue.Pop()) order += *job;
  EXPECT_EQ(order, "ababa");
}

TEST(FairQueue, a_place_belongs_to_one_owner) {
  FairQueue<int> queue(1);
  EXPECT_TRUE(Push(&queue, "a", 1));
  EXPECT_FALSE(Push(&queue, "b", 2));
}

TEST(FairQueue, the_nth_job_is_taken_from_the_owners_in_turn) {
  FairQueue<int> queue(100);
  for (int i : {1, 2}) Push(&queue, "a", i);
  Push(&queue, "b", 10);
  EXPECT_EQ(queue.PopAt(3), std::nullopt);
  EXPECT_EQ(queue.PopAt(2), 10);
  EXPECT_EQ(queue.PopAt(1), 2);
  EXPECT_EQ(queue.PopAt(0), 1);
  EXPECT_EQ(queue.PopAt(0), std::nullopt);
}

}  // namespace
}  // namespace parley::protocol
