// Who is apart in which opened thread, whatever comes in which order.
#include "gateway/app/apart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parley::gateway_test {
namespace {

using gateway::Apart;
using protocol::UserId;
using testing::ElementsAre;
using testing::IsEmpty;

const protocol::TenantId kTenant{"demo"};
const Apart::ThreadName kThread{kTenant, {*protocol::Ulid::FromText("01k9a52dr04xhcxxpxdj0mdrf4")}};
const Apart::ThreadName kOther{kTenant, {*protocol::Ulid::FromText("01k9a52dr04xhcxxpxdj0mdrf5")}};
const UserId kAnn{"ann"}, kBob{"bob"}, kCid{"cid"};
const threads::Parties kPair{kAnn, kBob};

class ApartTest : public testing::Test {
 protected:
  void Open(bool blocked, bool holds, uint64_t noted) {
    apart_.Open(kThread, Apart::Between{kPair, blocked, holds}, noted);
  }
  auto Block(bool blocked, const threads::Parties& pair = {kBob, kAnn}) {
    return apart_.Change({kTenant, pair, blocked, ++order_});
  }
  bool IsApart() const {
    const UserId* from = apart_.HiddenFrom(kThread, kAnn);
    return from && *from == kBob && *apart_.HiddenFrom(kThread, kBob) == kAnn;
  }
  Apart apart_;
  uint64_t order_ = 0;
};

TEST_F(ApartTest, the_two_are_apart_while_one_blocks_and_blocks_hold) {
  Open(false, false, 0);
  EXPECT_THAT(Block(true), IsEmpty()) << "the booking is live";
  EXPECT_THAT(apart_.Change(kThread, true), ElementsAre(kThread));
  EXPECT_TRUE(IsApart());
  EXPECT_EQ(apart_.HiddenFrom(kThread, kCid), nullptr);
  EXPECT_THAT(apart_.Change(kThread, true), IsEmpty()) << "no news";
  EXPECT_THAT(apart_.Change(kOther, false), IsEmpty());
  EXPECT_THAT(Block(false, {kAnn, kCid}), IsEmpty());
  EXPECT_TRUE(IsApart());
  EXPECT_THAT(apart_.Change(kThread, false), ElementsAre(kThread));
  EXPECT_FALSE(IsApart());
  EXPECT_THAT(apart_.Change(kThread, true), ElementsAre(kThread));
  EXPECT_THAT(Block(false), ElementsAre(kThread));
  EXPECT_FALSE(IsApart());
}

TEST_F(ApartTest, what_changed_while_a_thread_was_read_counts_more_than_what_was_read) {
  const uint64_t noted = apart_.changes();
  EXPECT_THAT(Block(true), IsEmpty());
  Open(false, true, noted);
  EXPECT_TRUE(IsApart());
  Open(false, true, apart_.changes());
  EXPECT_FALSE(IsApart()) << "what came before was read";
  const uint64_t again = apart_.changes();
  apart_.Change(kThread, false);
  Open(true, true, again);
  EXPECT_FALSE(IsApart());
}

TEST_F(ApartTest, of_two_changes_of_a_pair_the_later_decision_counts_whichever_is_told_first) {
  Open(true, true, 0);
  EXPECT_THAT(apart_.Change({kTenant, kPair, false, 7}), ElementsAre(kThread));
  EXPECT_THAT(apart_.Change({kTenant, kPair, true, 6}), IsEmpty());
  EXPECT_FALSE(IsApart());
}

TEST_F(ApartTest, a_read_that_took_too_long_to_know_shows_too_little) {
  const uint64_t noted = apart_.changes();
  for (int i = 0; i < 2'000; ++i) Block(i % 2 == 0, {kAnn, kCid});
  Open(false, false, noted);
  EXPECT_TRUE(IsApart());
  Open(false, false, apart_.changes());
  EXPECT_FALSE(IsApart());
}

TEST_F(ApartTest, a_thread_without_parties_and_one_that_is_closed_are_not_kept) {
  Open(true, true, 0);
  apart_.Open(kThread, std::nullopt, 0);
  EXPECT_FALSE(IsApart());
  Open(true, true, 0);
  apart_.Close(kThread);
  EXPECT_FALSE(IsApart());
  EXPECT_THAT(Block(false), IsEmpty());
}

}  // namespace
}  // namespace parley::gateway_test
