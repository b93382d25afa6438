// The executor's cache of threads is bounded by number and by weight.
#include "threads/engine/thread_cache.h"

#include <gtest/gtest.h>

namespace parley::threads {
namespace {

storage::PartitionKey Key(uint8_t n) {
  protocol::Ulid ulid;
  ulid.bytes[15] = n;
  return ThreadPartition(TenantId{"demo"}, ThreadId{ulid});
}
void Fill(CachedThread& thread, size_t rows) {
  thread.head.emplace();
  for (size_t i = 0; i < rows; ++i) thread.participants[UserId{("u" + std::to_string(i)).c_str()}];
}
bool Holds(ThreadCache& cache, uint8_t n) {
  return cache.At(Key(n)).head.has_value();
}

TEST(ThreadCacheTest, evicts_the_least_recently_used) {
  ThreadCache cache(2, SIZE_MAX);
  for (uint8_t n = 1; n <= 3; ++n) Fill(cache.At(Key(n)), 1);
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_TRUE(Holds(cache, 3));
  EXPECT_TRUE(Holds(cache, 2));
  EXPECT_FALSE(Holds(cache, 1));
}

TEST(ThreadCacheTest, counts_the_growth_of_a_thread_in_use) {
  CachedThread large;
  Fill(large, 100);
  ThreadCache cache(100, 2 * large.Weight());
  for (uint8_t n = 1; n <= 4; ++n) Fill(cache.At(Key(n)), 100);
  EXPECT_TRUE(Holds(cache, 4));
  EXPECT_LE(cache.bytes(), 2 * large.Weight());
  EXPECT_FALSE(Holds(cache, 1)) << "by weight, not by number";
}

TEST(ThreadCacheTest, keeps_a_thread_in_use_of_any_size) {
  ThreadCache cache(100, 1);
  Fill(cache.At(Key(1)), 100);
  EXPECT_TRUE(Holds(cache, 1));
  cache.At(Key(2)).members = Members::Of(std::vector<UserId>(1000));
  EXPECT_EQ(cache.At(Key(2)).members->size(), 1000u);
  EXPECT_EQ(cache.size(), 1u);
  cache.Clear();
  EXPECT_EQ(cache.bytes(), 0u);
}

TEST(RememberedKeysTest, knows_nothing_until_it_is_complete_and_gives_up_when_full) {
  RememberedKeys keys;
  keys.Add("a");
  EXPECT_TRUE(keys.MayHold("b")) << "nobody has looked";
  keys.Begin();
  EXPECT_FALSE(keys.MayHold("a"));
  for (size_t i = 0; i < RememberedKeys::kMost; ++i) keys.Add(std::to_string(i));
  EXPECT_TRUE(keys.MayHold("7"));
  EXPECT_FALSE(keys.MayHold("x"));
  keys.Add("one more");
  EXPECT_TRUE(keys.MayHold("x")) << "it may";
  EXPECT_EQ(keys.size(), 0u) << "and takes no room";
}

TEST(RememberedKeysTest, evicts_one_of_two_and_reloads_after_many_were_removed) {
  RememberedKeys keys;
  keys.Begin();
  keys.Add("a");
  keys.Add("b");
  keys.Remove("a");
  keys.Remove("never there");
  EXPECT_FALSE(keys.MayHold("a"));
  EXPECT_TRUE(keys.MayHold("b"));
  EXPECT_EQ(keys.size(), 1u);
  keys.LookAgain();
  EXPECT_EQ(keys.state(), RememberedKeys::State::kComplete) << "it knows";
  keys.GiveUp();
  keys.LookAgain();
  EXPECT_EQ(keys.state(), RememberedKeys::State::kUnread);
}

}  // namespace
}  // namespace parley::threads
