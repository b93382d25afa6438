// Member lists equal a sorted set after any joins and leaves, and successive lists share blocks.
#include "threads/model/members.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

namespace parley::threads {
namespace {

std::vector<UserId> IdsOf(const Members& list) {
  std::vector<UserId> out;
  list.ForEach([&](const UserId& user) { out.push_back(user); });
  return out;
}

TEST(MembersTest, equal_a_set_after_any_changes) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const uint32_t names = seed % 2 ? 40 : 2000;
    std::set<UserId> expected;
    auto list = Members::Of({});
    for (int step = 0; step < 3000; ++step) {
      const UserId user{("u" + std::to_string(random() % names)).c_str()};
      // Grows, shrinks, grows again.
      if (random() % 10 < (step / 1000 == 1 ? 2u : 8u)) {
        list = With(list, user);
        expected.insert(user);
      } else {
        list = Without(list, user);
        expected.erase(user);
      }
      ASSERT_EQ(list->size(), expected.size());
      ASSERT_EQ(list->Contains(user), expected.contains(user));
    }
    const std::vector<UserId> ids(expected.begin(), expected.end());
    EXPECT_EQ(IdsOf(*list), ids);
    EXPECT_EQ(IdsOf(*Members::Of(ids)), ids);
    const auto first = list->First(10);
    EXPECT_EQ(first, std::vector<UserId>(ids.begin(), ids.begin() + static_cast<long>(first.size())));
    EXPECT_EQ(first.size(), std::min<size_t>(10, ids.size()));
  }
}

TEST(MembersTest, an_unchanged_list_is_the_same_object) {
  const auto list = Members::Of({UserId{"ann"}, UserId{"bob"}});
  EXPECT_EQ(With(list, UserId{"ann"}), list);
  EXPECT_EQ(Without(list, UserId{"carol"}), list);
}

TEST(MembersTest, a_comparison_returns_the_added_and_the_removed) {
  std::mt19937 random(3);
  std::set<UserId> before_ids, after_ids;
  auto before = Members::Of({});
  for (int i = 0; i < 3000; ++i) {
    const UserId user{("u" + std::to_string(random() % 5000)).c_str()};
    before = With(before, user);
    before_ids.insert(user);
  }
  auto after = before;
  after_ids = before_ids;
  for (int i = 0; i < 200; ++i) {
    const UserId user{("u" + std::to_string(random() % 5000)).c_str()};
    const bool comes = random() % 2;
    after = comes ? With(after, user) : Without(after, user);
    comes ? (void)after_ids.insert(user) : (void)after_ids.erase(user);
  }
  std::set<UserId> gone, came;
  CompareMembers(
      *before, *after, [&](const UserId& user) { gone.insert(user); },
      [&](const UserId& user) { came.insert(user); });
  for (const UserId& user : gone) EXPECT_TRUE(before_ids.contains(user) && !after_ids.contains(user));
  for (const UserId& user : came) EXPECT_TRUE(!before_ids.contains(user) && after_ids.contains(user));
  EXPECT_EQ(before_ids.size() + came.size() - gone.size(), after_ids.size());
}

TEST(MembersTest, a_shrunken_list_does_not_keep_nearly_empty_blocks) {
  std::vector<UserId> ids;
  for (int i = 0; i < 10'000; ++i) ids.push_back(UserId{std::to_string(100'000 + i).c_str()});
  auto list = Members::Of(ids);
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i % 100) list = Without(list, ids[i]);
  }
  EXPECT_EQ(list->size(), 100u);
  EXPECT_LE(list->Weight(), Members::Of(IdsOf(*list))->Weight() + 64);
}

}  // namespace
}  // namespace parley::threads
