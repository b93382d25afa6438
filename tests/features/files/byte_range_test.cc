#include "features/files/byte_range.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::features {
namespace {

// "whole", "none", or the bytes as [begin, end).
std::string Answered(std::string_view header, int64_t size) {
  const RangeAnswer answer = AnswerRange(header, size);
  if (answer.kind == RangeKind::kUnsatisfiable) return "none";
  const std::string bytes =
      "[" + std::to_string(answer.range.begin) + "," + std::to_string(answer.range.end) + ")";
  return answer.kind == RangeKind::kWhole && answer.range == ByteRange{0, size} ? "whole" : bytes;
}

TEST(ByteRange, is_answered_as_the_rfc_says) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"", "whole"},
      {"bytes=0-0", "[0,1)"},
      {"bytes=0-9", "[0,10)"},
      {"bytes=0-", "[0,10)"},
      {"bytes=3-5", "[3,6)"},
      {"bytes=9-", "[9,10)"},
      {"bytes=3-99", "[3,10)"},
      {"bytes=10-", "none"},
      {"bytes=10-12", "none"},
      {"bytes=-1", "[9,10)"},
      {"bytes=-10", "[0,10)"},
      {"bytes=-99", "[0,10)"},
      {"bytes=-0", "none"},
      {"bytes=9007199254740992-", "none"},
      {"bytes=0-9007199254740992", "[0,10)"},
  };
  for (const auto& [header, then] : rows) EXPECT_EQ(Answered(header, 10), then) << header;
}

TEST(ByteRange, is_ignored_if_it_is_malformed_or_several) {
  for (const char* header :
       {"bytes=", "bytes=-", "bytes=5-3", "bytes=a-b", "bytes=1", "bytes 0-1", "lines=0-1", "bytes=0-1,3-4",
        "bytes= 0-1", "bytes=0-1 ", "bytes=--1", "bytes=0x1-2", "bytes=99999999999999999999-"})
    EXPECT_EQ(Answered(header, 10), "whole") << header;
}

TEST(ByteRange, of_an_empty_file_is_never_satisfiable) {
  EXPECT_EQ(Answered("", 0), "whole");
  EXPECT_EQ(Answered("bytes=0-", 0), "none");
  EXPECT_EQ(Answered("bytes=-5", 0), "none");
}

}  // namespace
}  // namespace parley::features
