// Tests pages merged from two ranges that may not have been read to their ends.
#include "features/events/event_pages.h"

#include <gtest/gtest.h>

#include "accounts/records/item_fields.h"

namespace parley::features {
namespace {

EventRange RangeOf(const std::vector<int64_t>& times, bool more) {
  EventRange out{{}, more};
  for (const int64_t ms : times) {
    accounts::SetInt(&out.items.emplace_back(), "timestamp", ms);
    out.items.back().Set("event_id", "x");
  }
  return out;
}
// "1 2 4 …": with dots if more follows.
std::string Merged(EventRange a, EventRange b, size_t limit, bool forward) {
  const EventRange merged = Merge(std::move(a), std::move(b), limit, forward);
  std::string out;
  for (const storage::Item& item : merged.items) out += std::to_string(PlaceOf(item).ms) + " ";
  return out + (merged.more ? "…" : ".");
}

TEST(EventPages, merge_two_ranges_in_order) {
  EXPECT_EQ(Merged(RangeOf({1, 4}, false), RangeOf({2, 3}, false), 9, true), "1 2 3 4 .");
  EXPECT_EQ(Merged(RangeOf({4, 1}, false), RangeOf({3, 2}, false), 9, false), "4 3 2 1 .");
  EXPECT_EQ(Merged(RangeOf({1, 4}, false), RangeOf({2, 3}, false), 3, true), "1 2 3 …");
  EXPECT_EQ(Merged(RangeOf({}, false), RangeOf({}, false), 3, true), ".");
}

// A range may be cut short by its bytes: its unread events may precede the other's.
TEST(EventPages, end_before_the_unread_part_of_a_range) {
  EXPECT_EQ(Merged(RangeOf({1, 2}, true), RangeOf({3, 9}, false), 9, true), "1 2 …");
  EXPECT_EQ(Merged(RangeOf({3, 9}, false), RangeOf({1, 2}, true), 9, true), "1 2 …");
  EXPECT_EQ(Merged(RangeOf({9, 8}, true), RangeOf({7}, false), 9, false), "9 8 …");
}

TEST(EventPages, invalid_places_are_rejected) {
  const EventPlace place{1'762'351'927'123, "00000000-0004-8000-8000-000000000000"};
  EXPECT_EQ(*ParseEventPlace(CursorOf(place)), place);
  for (const char* text : {"", "1762351927123",
                           "+762351927123"
                           "00000000-0004-8000-8000-000000000000",
                           "176235192712x"
                           "00000000-0004-8000-8000-000000000000"})
    EXPECT_FALSE(ParseEventPlace(text).ok()) << text;
}

}  // namespace
}  // namespace parley::features
