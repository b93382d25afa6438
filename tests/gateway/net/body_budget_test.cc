// The budget of memory for request bodies: shares, and the body that is dropped for others.
#include "gateway/net/body_budget.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace parley::gateway_test {
namespace {

using gateway::BodyArrival;
using gateway::BodyBudget;
using gateway::BodyShare;
using gateway::kSmallBodyBytes;

constexpr size_t kMega = 1 << 20;

class BodyBudgetTest : public testing::Test {
 protected:
  BodyBudgetTest() {
    BodyBudget::Settings settings;
    settings.capacity = 10 * kMega;
    settings.address_capacity = 4 * kMega;
    settings.patience_ms = 1000;
    settings.now_ms = [this] { return now_ms_; };
    budget_ = std::make_shared<BodyBudget>(std::move(settings));
  }
  std::unique_ptr<BodyShare> From(const std::string& address, size_t bytes = 0) {
    auto share = std::make_unique<BodyShare>(budget_);
    share->Begin({address, [this, address] { evicted_.push_back(address); }});
    EXPECT_TRUE(bytes == 0 || share->Grow(bytes)) << address;
    return share;
  }

  int64_t now_ms_ = 0;
  std::shared_ptr<BodyBudget> budget_;
  std::vector<std::string> evicted_;
};

TEST_F(BodyBudgetTest, one_address_has_a_share) {
  const auto first = From("a", 3 * kMega);
  auto second = From("a", kMega);
  EXPECT_FALSE(From("a")->Grow(kSmallBodyBytes + 1));
  EXPECT_FALSE(From("a")->MakeRoom(kMega));
  EXPECT_TRUE(From("a")->Grow(kSmallBodyBytes)) << "small ones always, as long as there is room at all";
  EXPECT_TRUE(From("b")->Grow(4 * kMega));
  EXPECT_FALSE(From("b")->MakeRoom(4 * kMega + 1));
  second.reset();
  EXPECT_TRUE(From("a")->Grow(kMega));
  EXPECT_TRUE(evicted_.empty());
}

TEST_F(BodyBudgetTest, the_slowest_body_is_dropped_when_another_finds_no_room) {
  const auto slow = From("a", kMega), slower = From("b", kMega / 2);
  now_ms_ = 10'000;
  const auto quick = From("c", 4 * kMega), quick_too = From("d", 4 * kMega);
  now_ms_ = 11'000;
  EXPECT_TRUE(From("e")->Grow(kMega));
  EXPECT_EQ(evicted_, std::vector<std::string>{"b"});
  EXPECT_FALSE(slower->Grow(1)) << "its bytes are others'";
  EXPECT_TRUE(From("e")->MakeRoom(2 * kMega));
  EXPECT_EQ(evicted_, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(budget_->evicted(), 2u);
}

TEST_F(BodyBudgetTest, a_body_is_not_dropped_before_its_grace_or_after_its_end) {
  const auto complete = From("a", 4 * kMega), arriving = From("b", 4 * kMega);
  complete->End();
  now_ms_ = 999;
  EXPECT_FALSE(From("c")->Grow(4 * kMega));
  EXPECT_TRUE(evicted_.empty());
  now_ms_ = 1000;
  EXPECT_TRUE(From("c")->Grow(4 * kMega));
  EXPECT_EQ(evicted_, std::vector<std::string>{"b"});
  const auto rest = From("d", 4 * kMega);
  EXPECT_FALSE(From("e")->Grow(4 * kMega)) << "nobody is left who could";
}

TEST_F(BodyBudgetTest, released_bytes_are_available_again) {
  {
    const auto evicted = From("a", 4 * kMega), other = From("b", 4 * kMega);
    BodyShare moved(std::move(*other));
    now_ms_ = 5000;
    const auto third = From("c", 4 * kMega);
    EXPECT_EQ(budget_->held(), 8 * kMega);
  }
  EXPECT_EQ(budget_->held(), 0u);
  for (const char* address : {"a", "b", "c"}) EXPECT_TRUE(From(address)->MakeRoom(4 * kMega)) << address;
}

}  // namespace
}  // namespace parley::gateway_test
