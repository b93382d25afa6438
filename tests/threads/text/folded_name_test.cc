#include "threads/text/folded_name.h"

#include <gtest/gtest.h>

namespace parley::threads::text {
namespace {

TEST(FoldedName, equal_looking_names_fold_to_the_same) {
  for (const char* city : {"Köln", "KÖLN", "ko\u0308ln", " \tKöln \n", "Ｋöln", "Kö\u00adln"})
    EXPECT_EQ(FoldedName(city), "köln") << city;
  for (const char* city : {"Straße", "STRASSE", "strasse"}) EXPECT_EQ(FoldedName(city), "strasse") << city;
  EXPECT_EQ(FoldedName("  New York\u00a0"), "new york") << "spaces of any kind at its ends";
  EXPECT_EQ(FoldedName("東京"), "東京");
  EXPECT_EQ(FoldedName("ＴＯＫＹＯ"), "tokyo");
}

TEST(FoldedName, different_looking_names_stay_different) {
  EXPECT_NE(FoldedName("Koln"), FoldedName("Köln"));
  EXPECT_NE(FoldedName("New York"), FoldedName("NewYork"));
  EXPECT_EQ(FoldedName(" \t"), "");
  EXPECT_EQ(FoldedName(""), "");
}

TEST(FoldedName, any_bytes_are_accepted_and_folding_twice_changes_nothing) {
  for (const char* bytes : {"\xff\xfe", "a\xc3", "\xed\xa0\x80", "é\xc3"}) {
    const std::string once = FoldedName(bytes);
    EXPECT_EQ(FoldedName(once), once);
    EXPECT_NE(once.find("\ufffd"), std::string::npos);
  }
}

}  // namespace
}  // namespace parley::threads::text
