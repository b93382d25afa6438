#include "protocol/base/encoding.h"

#include <gtest/gtest.h>

#include <utility>

#include "protocol/base/json_text.h"

namespace parley::protocol {
namespace {

TEST(Base64, encodes_and_decodes_the_vectors_of_rfc_4648) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(Base64(bytes), text);
    std::string back = "old";
    EXPECT_TRUE(FromBase64(text, &back)) << text;
    EXPECT_EQ(back, bytes);
  }
  EXPECT_EQ(Base64("\xfb\xff\xfe"), "+//+");
  EXPECT_EQ(Base64Url("\xfb\xff\xfe\xff"), "-__-_w");
}

TEST(Base64, rejects_other_characters_and_missing_padding) {
  std::string out;
  for (const char* text : {"Zg", "Zg=", "Z", "====", "Zg==Zg==", "Zm 9", "Zm9v\n", "-_-_", "Z===", "=Zm9"})
    EXPECT_FALSE(FromBase64(text, &out)) << text;
  for (const char* text : {"Zg==", "Z", "Zh", "+/+/"}) EXPECT_FALSE(FromBase64Url(text, &out)) << text;
}

TEST(Uuid, has_its_version_and_the_variant_of_rfc_9562) {
  EXPECT_EQ(UuidText(std::string(16, '\xff'), 7), "ffffffff-ffff-7fff-bfff-ffffffffffff");
  EXPECT_EQ(UuidText(std::string(16, '\0'), 4), "00000000-0000-4000-8000-000000000000");
}

TEST(JsonText, escapes_only_characters_that_must_be) {
  EXPECT_EQ(JsonText(""), "\"\"");
  EXPECT_EQ(JsonText("a\"b\\c/é"), "\"a\\\"b\\\\c/é\"");
  EXPECT_EQ(JsonText("\b\f\n\r\t\x01\x1f\x7f"), "\"\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\"");
}

TEST(PercentEncoding, keeps_unreserved_and_plain_characters) {
  std::string out = "?";
  AppendPercentEncoded("aZ9-._~ /+%\xc3\xbc", "", &out);
  EXPECT_EQ(out, "?aZ9-._~%20%2F%2B%25%C3%BC");
  out.clear();
  AppendPercentEncoded("a/b c", "/", &out);
  EXPECT_EQ(out, "a/b%20c");
}

}  // namespace
}  // namespace parley::protocol
