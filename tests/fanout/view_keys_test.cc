// Tests the keys of the messaging view: texts have the order of their rows, and a range of texts selects
// exactly its rows, with any bounds.
#include "fanout/view/view_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace parley::fanout {
namespace {

using protocol::MessageId;
using protocol::Time;
using storage::SortKey;
using storage::SortRange;
using storage::ThreadTag;

struct Pair {
  std::string text;
  SortKey row;
};

class ViewKeys : public testing::Test {
 protected:
  uint64_t Random(uint64_t below) { return random_() % below; }
  // Returns a time near the others, or far from them.
  Time SomeTime() {
    const int64_t far = static_cast<int64_t>(Random(253'402'300'800'000));
    return {Random(2) ? 1'762'351'927'123 + static_cast<int64_t>(Random(2'000)) : far};
  }
  protocol::Ulid SomeUlid() {
    protocol::Ulid out;
    const auto ms = static_cast<uint64_t>(SomeTime().ms);
    for (size_t i = 0; i < 6; ++i) out.bytes[i] = static_cast<uint8_t>(ms >> 8 * (5 - i));
    for (size_t i = 6; i < 16; ++i)
      out.bytes[i] = static_cast<uint8_t>(Random(2) ? Random(256) : Random(2) * 255);
    return out;
  }
  UserId SomeUser() {
    std::string text;
    for (size_t i = 0, size = 1 + Random(4); i < size; ++i) text += "ab-.:_AZ09"[Random(10)];
    return *UserId::FromText(text);
  }
  // Returns one of the keys, or a text near one.
  std::string SomeBound(const std::vector<Pair>& pairs) {
    std::string bound = pairs[Random(pairs.size())].text;
    if (Random(2)) bound.resize(Random(bound.size() + 1));
    if (Random(2)) bound += static_cast<char>(Random(128));
    if (Random(4) == 0 && !bound.empty()) bound[Random(bound.size())] = static_cast<char>(Random(256));
    return bound;
  }
  void Check(std::vector<Pair> pairs,
             const std::function<std::optional<SortRange>(const TextRange&)>& rows_of) {
    for (const Pair& a : pairs) {
      for (const Pair& b : pairs) EXPECT_EQ(a.text < b.text, a.row < b.row) << a.text << " " << b.text;
    }
    for (int i = 0; i < 500; ++i) {
      TextRange texts{SomeBound(pairs), SomeBound(pairs)};
      if (Random(4) == 0) texts.begin.clear();
      if (Random(4) == 0) texts.end.reset();
      const auto rows = rows_of(texts);
      for (const Pair& one : pairs) {
        const bool in = rows && rows->begin <= one.row && (rows->end.bytes().empty() || one.row < rows->end);
        EXPECT_EQ(in, texts.Has(one.text))
            << one.text << " from " << texts.begin << " to " << texts.end.value_or("the end");
      }
    }
  }

  std::mt19937_64 random_{20251105};
};

TEST_F(ViewKeys, rows_of_cards_are_those_of_their_texts) {
  std::vector<Pair> pairs;
  for (int i = 0; i < 60; ++i) {
    const MessageId id{SomeUlid()};
    pairs.push_back({CardText(id), threads::CardKey(id)});
    EXPECT_EQ(CardOfText(pairs.back().text), id);
  }
  Check(pairs, [](const TextRange& texts) { return RowsOf(ThreadTag::kCard, texts); });
}

TEST_F(ViewKeys, rows_of_messages_are_those_of_their_texts) {
  std::vector<Pair> pairs;
  for (int i = 0; i < 60; ++i) {
    const MessageId id{SomeUlid()};
    pairs.push_back({MessageText(id), threads::MessageKey(id)});
    EXPECT_EQ(MessageOfText(pairs.back().text), id);
  }
  Check(pairs, [](const TextRange& texts) { return RowsOf(ThreadTag::kMessage, texts); });
}

TEST_F(ViewKeys, rows_of_participants_are_those_of_their_texts) {
  std::vector<Pair> pairs;
  for (int i = 0; i < 60; ++i) {
    const UserId user = SomeUser();
    pairs.push_back({ParticipantText(user), threads::ParticipantKey(user)});
    EXPECT_EQ(ParticipantOfText(pairs.back().text), user);
  }
  Check(pairs, [](const TextRange& texts) { return RowsOf(ThreadTag::kParticipant, texts); });
}

// Rows with the same time share a text, so a range has all of them or none.
TEST_F(ViewKeys, places_of_an_inbox_are_those_of_their_texts_the_newest_first) {
  std::vector<Pair> pairs;
  for (int i = 0; i < 60; ++i) {
    const Time at = SomeTime();
    pairs.push_back({PlaceText(at), PlaceKey({at, ThreadId{}})});
    EXPECT_EQ(TimeOfPlaceText(pairs.back().text), at);
  }
  Check(pairs, PlacesOf);
  EXPECT_LT(PlaceText({2}), PlaceText({1}));
}

TEST_F(ViewKeys, rows_of_a_project_are_those_of_their_texts) {
  std::vector<Pair> pairs;
  for (int i = 0; i < 60; ++i) {
    const Time at = SomeTime();
    pairs.push_back({protocol::FormatTime(at), ProjectKey(at, ThreadId{})});
  }
  Check(pairs, ProjectRowsOf);
}

TEST_F(ViewKeys, a_text_without_a_row_has_no_key) {
  const MessageId id{SomeUlid()};
  std::string other = MessageText(id);
  other[4] = other[4] == '1' ? '2' : '1';
  EXPECT_FALSE(MessageOfText(other));
  EXPECT_FALSE(MessageOfText("MSG#" + id.ToText()));
  EXPECT_FALSE(MessageOfText(""));
  EXPECT_FALSE(CardOfText("CARD#" + id.ToText() + "0"));
  EXPECT_FALSE(CardOfText("card#" + id.ToText()));
  EXPECT_FALSE(ParticipantOfText("PART#"));
  EXPECT_FALSE(TabOfText("TAB#Brief"));
  EXPECT_FALSE(ThreadOfText("THR#thrd_"));
  EXPECT_FALSE(TimeOfPlaceText("000000000000000#2025-11-05T14:12:07.123Z"));
  EXPECT_FALSE(ProjectOfText({}, "LBG#"));
}

}  // namespace
}  // namespace parley::fanout
