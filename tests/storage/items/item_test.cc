#include <gtest/gtest.h>

#include <random>

#include "storage/items/item_codec.h"
#include "storage/items/item_key.h"

namespace parley::storage {
namespace {

template <class T>
AttributeValue SetOfValues(std::vector<T> elements) {
  SetOf<T> set;
  EXPECT_TRUE(MakeSet(std::move(elements), &set));
  return set;
}

Item ItemOfAllTypes() {
  return {{"s", "text"},
          {"n", Number::Must("-12.5")},
          {"b", Binary{std::string("\0\xff", 2)}},
          {"t", AttributeValue::OfBool(true)},
          {"null", AttributeValue()},
          {"l", List{AttributeValue("x"), List{}, Item{}}},
          {"m", Item{{"inner", Item{{"deep", "down"}}}}},
          {"ss", SetOfValues<std::string>({"b", "a"})},
          {"ns", SetOfValues<Number>({Number::Of(10), Number::Of(9)})},
          {"bs", SetOfValues<Binary>({Binary{"z"}, Binary{"y"}})}};
}

TEST(Item, comes_back_from_its_bytes) {
  const std::string bytes = EncodeItem(ItemOfAllTypes());
  Item back;
  ASSERT_TRUE(DecodeItem(bytes, &back));
  EXPECT_EQ(back, ItemOfAllTypes());
}

TEST(Item, is_not_read_from_a_part_of_its_bytes_or_with_bytes_after_it) {
  const std::string bytes = EncodeItem(ItemOfAllTypes());
  Item back;
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeItem(std::string_view(bytes).substr(0, size), &back)) << size;
  }
  EXPECT_FALSE(DecodeItem(bytes + "x", &back));
}

TEST(Item, is_not_read_beyond_the_nesting_that_may_be_stored) {
  AttributeValue deep = "bottom";
  for (size_t i = 0; i < kNestingMax; ++i) deep = List{deep};
  Item back;
  EXPECT_EQ(NestingOf(deep), kNestingMax);
  EXPECT_TRUE(DecodeItem(EncodeItem({{"deep", deep}}), &back));
  EXPECT_FALSE(DecodeItem(EncodeItem({{"deep", List{deep}}}), &back));
}

TEST(Item, is_counted_as_dynamodb_counts) {
  EXPECT_EQ(ItemSize({{"name", "value"}}), 9u);
  EXPECT_EQ(ItemSize({{"n", Number::Must("123")}}), 1u + 3);
  EXPECT_EQ(ItemSize({{"n", Number::Must("0")}}), 1u + 1);
  EXPECT_EQ(ItemSize({{"l", List{}}}), 1u + 3);
  EXPECT_EQ(ItemSize({{"l", List{AttributeValue("ab")}}}), 1u + 3 + 1 + 2);
  EXPECT_EQ(ItemSize({{"t", AttributeValue::OfBool(false)}, {"u", AttributeValue()}}), 4u);
}

TEST(Item, refuses_a_set_with_an_element_twice) {
  NumberSet set;
  EXPECT_FALSE(MakeSet<Number>({Number::Must("1"), Number::Must("1.0")}, &set));
}

AttributeValue RandomKey(std::mt19937& random, AttributeType type) {
  if (type == AttributeType::kNumber) return Number::Of(static_cast<int>(random() % 2001) - 1000);
  std::string bytes;
  for (size_t i = random() % 4; i > 0; --i) bytes += "\0\1\xff\x61\x62"[random() % 5];
  if (type == AttributeType::kBinary) return Binary{bytes};
  return bytes;
}

TEST(ItemKey, has_bytes_in_order_of_value_whatever_follows) {
  std::mt19937 random(7);
  for (const AttributeType type : {AttributeType::kString, AttributeType::kBinary, AttributeType::kNumber}) {
    for (int i = 0; i < 20'000; ++i) {
      const AttributeValue a = RandomKey(random, type), b = RandomKey(random, type);
      std::string left, right;
      AppendKeyPart(a, &left);
      AppendKeyPart(b, &right);
      if (a == b) {
        ASSERT_EQ(left, right);
        continue;
      }
      ASSERT_EQ(Compare(a, b) < 0, left + "\xff\xff" < right + std::string(2, '\0'));
      std::string_view rest = left += "tail";
      AttributeValue back;
      ASSERT_TRUE(TakeKeyPart(type, &rest, &back));
      ASSERT_EQ(back, a);
      ASSERT_EQ(rest, "tail");
    }
  }
}

TEST(ItemKey, has_a_prefix_for_values_that_begin_with_a_value) {
  std::string prefix, inside, outside;
  AppendKeyPrefix(std::string("a\0", 2), &prefix);
  AppendKeyPart(std::string("a\0b", 3), &inside);
  AppendKeyPart("ab", &outside);
  EXPECT_TRUE(inside.starts_with(prefix));
  EXPECT_FALSE(outside.starts_with(prefix));
}

}  // namespace
}  // namespace parley::storage
