// Hidden pairs of each opened thread, with reads and changes arriving in any order.
#include "gateway/app/hidden_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using gateway::HiddenPairs;
using protocol::UserId;
using testing::ElementsAre;
using testing::IsEmpty;

const HiddenPairs::ThreadName kHiddenThread{kTenant,
                                            {*protocol::Ulid::FromText("01k9a52dr04xhcxxpxdj0mdrf4")}};
const HiddenPairs::ThreadName kOtherThread{kTenant,
                                           {*protocol::Ulid::FromText("01k9a52dr04xhcxxpxdj0mdrf5")}};
const UserId kHiddenAnn{"ann"}, kHiddenBob{"bob"}, kHiddenCid{"cid"};
const threads::Parties kPair{kHiddenAnn, kHiddenBob};

class HiddenPairsTest : public testing::Test {
 protected:
  void Open(bool blocked, bool holds, uint64_t noted) {
    hidden_pairs_.Open(kHiddenThread, HiddenPairs::Between{kPair, blocked, holds}, noted);
  }
  auto Block(bool blocked, const threads::Parties& pair = {kHiddenBob, kHiddenAnn}) {
    return hidden_pairs_.Change({kTenant, pair, blocked, ++order_});
  }
  bool IsHiddenPair() const {
    const UserId* from = hidden_pairs_.HiddenFrom(kHiddenThread, kHiddenAnn);
    return from && *from == kHiddenBob && *hidden_pairs_.HiddenFrom(kHiddenThread, kHiddenBob) == kHiddenAnn;
  }
  HiddenPairs hidden_pairs_;
  uint64_t order_ = 0;
};

TEST_F(HiddenPairsTest, a_pair_is_hidden_while_a_block_is_in_force) {
  Open(false, false, 0);
  EXPECT_THAT(Block(true), IsEmpty()) << "the booking is live";
  EXPECT_THAT(hidden_pairs_.Change(kHiddenThread, true), ElementsAre(kHiddenThread));
  EXPECT_TRUE(IsHiddenPair());
  EXPECT_EQ(hidden_pairs_.HiddenFrom(kHiddenThread, kHiddenCid), nullptr);
  EXPECT_THAT(hidden_pairs_.Change(kHiddenThread, true), IsEmpty()) << "no news";
  EXPECT_THAT(hidden_pairs_.Change(kOtherThread, false), IsEmpty());
  EXPECT_THAT(Block(false, {kHiddenAnn, kHiddenCid}), IsEmpty());
  EXPECT_TRUE(IsHiddenPair());
  EXPECT_THAT(hidden_pairs_.Change(kHiddenThread, false), ElementsAre(kHiddenThread));
  EXPECT_FALSE(IsHiddenPair());
  EXPECT_THAT(hidden_pairs_.Change(kHiddenThread, true), ElementsAre(kHiddenThread));
  EXPECT_THAT(Block(false), ElementsAre(kHiddenThread));
  EXPECT_FALSE(IsHiddenPair());
}

TEST_F(HiddenPairsTest, a_change_during_the_read_of_a_thread_overrides_the_read) {
  const uint64_t noted = hidden_pairs_.changes();
  EXPECT_THAT(Block(true), IsEmpty());
  Open(false, true, noted);
  EXPECT_TRUE(IsHiddenPair());
  Open(false, true, hidden_pairs_.changes());
  EXPECT_FALSE(IsHiddenPair()) << "what came before was read";
  const uint64_t again = hidden_pairs_.changes();
  hidden_pairs_.Change(kHiddenThread, false);
  Open(true, true, again);
  EXPECT_FALSE(IsHiddenPair());
}

TEST_F(HiddenPairsTest, the_later_of_two_decisions_wins_in_either_order_of_arrival) {
  Open(true, true, 0);
  EXPECT_THAT(hidden_pairs_.Change({kTenant, kPair, false, 7}), ElementsAre(kHiddenThread));
  EXPECT_THAT(hidden_pairs_.Change({kTenant, kPair, true, 6}), IsEmpty());
  EXPECT_FALSE(IsHiddenPair());
}

TEST_F(HiddenPairsTest, a_read_that_took_too_long_hides_the_pair) {
  const uint64_t noted = hidden_pairs_.changes();
  for (int i = 0; i < 2'000; ++i) Block(i % 2 == 0, {kHiddenAnn, kHiddenCid});
  Open(false, false, noted);
  EXPECT_TRUE(IsHiddenPair());
  Open(false, false, hidden_pairs_.changes());
  EXPECT_FALSE(IsHiddenPair());
}

TEST_F(HiddenPairsTest, threads_without_parties_and_closed_threads_are_not_kept) {
  Open(true, true, 0);
  hidden_pairs_.Open(kHiddenThread, std::nullopt, 0);
  EXPECT_FALSE(IsHiddenPair());
  Open(true, true, 0);
  hidden_pairs_.Close(kHiddenThread);
  EXPECT_FALSE(IsHiddenPair());
  EXPECT_THAT(Block(false), IsEmpty());
}

}  // namespace
}  // namespace parley::gateway_test
