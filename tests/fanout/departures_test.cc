// Tests which entries are stale because their owner was removed after they were computed.
#include "fanout/departures.h"

#include <gtest/gtest.h>

#include "tests/fanout/fanout_scene.h"

namespace parley::fanout {
namespace {

class DeparturesTest : public testing::Test {
 protected:
  void Left(const std::string& user, int64_t seq, storage::Position position) {
    departures_.Note(kTenant, thread_, UserId{user.c_str()}, seq, position);
  }
  bool Stale(const std::string& user, int64_t seq, storage::Position through) const {
    return departures_.IsStale({kTenant, UserId{user.c_str()}, thread_, seq, "", false}, through);
  }
  const std::unique_ptr<protocol::IdSource> ids_ = protocol::NewSeededIdSource(1);
  const ThreadId thread_{ids_->Make({1})};
  Departures departures_;
};

TEST_F(DeparturesTest, an_entry_from_before_the_removal_is_stale_and_one_of_a_later_membership_is_not) {
  Left("bob", 7, 100);
  EXPECT_TRUE(Stale("bob", 6, 99));
  EXPECT_FALSE(Stale("bob", 8, 99)) << "the user is a member again";
  EXPECT_FALSE(Stale("ann", 6, 99));
  Left("bob", 9, 110);
  EXPECT_TRUE(Stale("bob", 8, 105)) << "the user was removed again";
}

TEST_F(DeparturesTest, a_removal_is_remembered_until_a_pass_includes_it) {
  Left("bob", 7, 100);
  departures_.Passed(99);
  EXPECT_TRUE(departures_.waits());
  EXPECT_TRUE(Stale("bob", 6, 99));
  departures_.Passed(100);
  EXPECT_FALSE(departures_.waits());
  Left("bob", 7, 100);
  EXPECT_FALSE(departures_.waits()) << "the projection was ahead of live delivery";
}

TEST_F(DeparturesTest, treats_every_entry_as_stale_beyond_its_bound) {
  for (size_t i = 0; i <= Departures::kMost; ++i)
    Left("u" + std::to_string(i), 7, 100 + static_cast<storage::Position>(i));
  const auto last = 100 + static_cast<storage::Position>(Departures::kMost);
  EXPECT_TRUE(Stale("u0", 6, 99));
  EXPECT_TRUE(Stale("ann", 6, last - 1));
  departures_.Passed(last);
  EXPECT_FALSE(Stale("ann", 6, last));
  EXPECT_FALSE(departures_.waits());
}

}  // namespace
}  // namespace parley::fanout
