// The size of a page: that of its MessagePack printed as JSON.
#include "protocol/json_size.h"

#include <gtest/gtest.h>

#include <random>

#include "protocol/writer.h"

namespace parley::protocol {
namespace {

// Any value, nested to `depth`.
void PutAny(std::mt19937& random, int depth, Writer* w) {
  switch (random() % (depth > 0 ? 7 : 5)) {
    case 0:
      return w->Raw("\xc0");
    case 1:
      return w->Bool(random() % 2 == 0);
    case 2:
      return w->Int(static_cast<int64_t>(random()) - 2'000'000'000);
    case 3:
      return w->Int(static_cast<int64_t>(random() % 300) - 150);
    case 4: {
      std::string text;
      for (size_t i = random() % 40; i > 0; --i) text += static_cast<char>(random() % 128);
      return w->Text(text);
    }
    case 5: {
      const size_t size = random() % 5;
      w->BeginArray(size);
      for (size_t i = 0; i < size; ++i) PutAny(random, depth - 1, w);
      return;
    }
    default: {
      const size_t size = random() % 5;
      w->BeginMap(size);
      for (size_t i = 0; i < size; ++i) {
        w->Text(std::string(i, '"'));
        PutAny(random, depth - 1, w);
      }
    }
  }
}

TEST(JsonSize, equals_the_size_of_the_printed_text) {
  std::mt19937 random(7);
  for (int i = 0; i < 5000; ++i) {
    Writer w;
    PutAny(random, 4, &w);
    const std::string msgpack = w.Take();
    const std::string json = MsgpackToJson(msgpack);
    ASSERT_EQ(JsonSize(msgpack), json.size()) << json;
    ASSERT_LE(json.size() + 1, msgpack.size() * kJsonPerMsgpackByte) << json;
  }
}

TEST(JsonSize, of_consecutive_values_is_their_sum) {
  EXPECT_EQ(JsonSize(""), 0u);
  EXPECT_EQ(JsonSize("\x01\xa1x\xc3"), 1u + 3u + 4u);
}

TEST(PageBytes, a_page_ends_before_the_item_that_would_exceed_it) {
  Writer w;
  w.Text(std::string(998, 'x'));
  const std::string item = w.Take();  // 1 000 bytes of JSON, and a comma
  PageBytes page(1024 + 10 * 1001);
  std::string items;
  size_t counted = 0;
  const auto taken = [&] { return ++counted, JsonSize(items); };
  int count = 0;
  for (; page.Take(item, taken); ++count) items += item;
  EXPECT_EQ(count, 10);
  EXPECT_EQ(counted, 1u);
}

TEST(PageBytes, a_page_far_from_its_end_is_not_measured) {
  PageBytes page(kMaxPageBytes);
  const auto taken = []() -> size_t { return ADD_FAILURE(), 0; };
  Writer w;
  w.Text(std::string(400, 'x'));
  for (int i = 0; i < 200; ++i) EXPECT_TRUE(page.Take(w.bytes(), taken));
}

TEST(PageBytes, the_first_item_is_always_included) {
  Writer w;
  w.Text(std::string(5000, 'x'));
  PageBytes page(100);
  const auto taken = []() -> size_t { return 5002; };
  EXPECT_TRUE(page.Take(w.bytes(), taken));
  EXPECT_FALSE(page.Take(w.bytes(), taken));
}

}  // namespace
}  // namespace parley::protocol
