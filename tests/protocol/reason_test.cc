// Hints: the texts about a refusal that people read.
#include "protocol/base/reason.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>
#include <string>

#include "protocol/frame.h"
#include "protocol/value.h"
#include "protocol/writer.h"

namespace parley::protocol {
namespace {

using testing::HasSubstr;

std::set<std::string_view> AllHints() {
  std::set<std::string_view> out;
  for (const ReasonInfo& info : Reasons()) out.insert(info.hint);
  for (size_t i = 0; i < kErrorCodeCount; ++i) out.insert(Describe(static_cast<ErrorCode>(i)).hint);
  return out;
}

TEST(Reasons, have_their_own_hints) {
  std::map<std::string_view, size_t> times;
  for (const ReasonInfo& info : Reasons()) ++times[info.hint];
  for (const auto& [hint, count] : times) EXPECT_EQ(count, 1u) << hint;
  EXPECT_GT(times.size(), 100u);
}

// The default text of a code is never that of another code's reason.
TEST(Reasons, of_two_codes_have_different_texts) {
  std::map<std::string_view, ErrorCode> codes;
  for (size_t i = 0; i < kErrorCodeCount; ++i) {
    const auto code = static_cast<ErrorCode>(i);
    EXPECT_TRUE(codes.emplace(Describe(code).hint, code).second) << Describe(code).hint;
  }
  for (const ReasonInfo& info : Reasons()) {
    const auto known = codes.find(info.hint);
    if (known != codes.end()) {
      EXPECT_EQ(known->second, info.code) << info.hint;
    }
  }
}

TEST(Reasons, are_written_for_people) {
  for (const std::string_view hint : AllHints()) {
    EXPECT_TRUE(hint.ends_with('.') && std::isupper(static_cast<unsigned char>(hint.front()))) << hint;
    EXPECT_LE(hint.size(), 90u) << hint;
    for (const char* word :
         {"null", "userId", "threadId", "clientId", "payload", "token", "HTTP", "JSON", "API", "_", "  "})
      EXPECT_THAT(std::string(hint), testing::Not(HasSubstr(word)));
    for (const char c : hint) EXPECT_TRUE(c >= ' ' && c < 0x7f) << hint;
  }
}

std::string HintIn(const Error& error) {
  Document document;
  const std::string map = ErrorMap(error, "corr");
  EXPECT_EQ(DecodeMsgpack(map, {}, &document), nullptr);
  return std::string(*document.root.Find("hint")->as_text());
}

TEST(Reasons, reach_the_wire_with_their_code) {
  for (const ReasonInfo& info : Reasons()) {
    const Error error = ErrorFor(info.reason, "for developers");
    EXPECT_EQ(error.code, info.code);
    EXPECT_EQ(error.message, "for developers");
    EXPECT_EQ(HintIn(error), info.hint);
  }
  EXPECT_EQ(HintIn(Error(ErrorCode::kThreadLocked, "")), "This conversation is locked.");
}

TEST(FieldHints, name_what_a_person_can_correct) {
  EXPECT_EQ(HintIn(Error::BadField("displayName", "must not be blank")), "This must not be empty.");
  EXPECT_EQ(HintIn(Error::BadField("emoji", "is not one emoji")), "This is not one emoji.");
  EXPECT_EQ(HintIn(Error::BadField("reason", "is required of staff")),
            "Something that is needed is missing.");
  EXPECT_EQ(HintIn(Error::BadField("subject", "is too long")), "This is too long.");
  EXPECT_EQ(HintIn(Error::BadField("userIds", "has too many elements")), "There are too many of something.");
  EXPECT_EQ(HintIn(Error::BadField("x", "must be an integer of at most 2^53-1")),
            "Something in this request is not valid.");
}

}  // namespace
}  // namespace parley::protocol
