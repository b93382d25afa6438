// Every kind of row has a retention, and docs/retention.md equals the printed table.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "features/all.h"
#include "tests/repository.h"

namespace parley::features {
namespace {

// The numbers in use in an enum of key_tags.h.
std::set<int> TagsOf(const std::string& name) {
  const std::string text = tests::RepositoryText("storage/key_tags.h");
  const size_t begin = text.find("enum class " + name + " ");
  EXPECT_NE(begin, std::string::npos) << name;
  const std::string body = text.substr(begin, text.find("};", begin) - begin);
  std::set<int> out;
  const std::regex entry("\n  k[A-Za-z]+ = ([0-9]+),");
  for (std::sregex_iterator at(body.begin(), body.end(), entry), end; at != end; ++at)
    out.insert(std::stoi((*at)[1]));
  return out;
}

std::set<int> Covered(storage::TableTag table) {
  std::set<int> out;
  for (const threads::Retention& one : AllRetentions()) {
    if (one.table != table) continue;
    EXPECT_TRUE(out.insert(one.tag).second) << one.row << " stands there twice";
    EXPECT_FALSE(one.kept.empty() || one.taken_away_by.empty()) << one.row;
  }
  return out;
}

TEST(RetentionTest, every_kind_of_row_has_a_retention) {
  EXPECT_EQ(Covered(storage::TableTag::kThreads), TagsOf("ThreadTag"));
  EXPECT_EQ(Covered(storage::TableTag::kUsers), TagsOf("UserTag"));
  EXPECT_EQ(Covered(storage::TableTag::kStore), TagsOf("StoreTag"));
  EXPECT_EQ(Covered(storage::TableTag::kItems), TagsOf("ItemTag"));
  ASSERT_GE(TagsOf("ThreadTag").size(), 13u) << "the enum is read as it is written";
  for (const int table : TagsOf("TableTag"))
    EXPECT_FALSE(Covered(static_cast<storage::TableTag>(table)).empty()) << "table " << table;
}

TEST(RetentionTest, in_docs_matches_the_printed_table) {
  EXPECT_EQ(tests::RepositoryText("docs/retention.md"), threads::RetentionManual(AllRetentions()))
      << "regenerate: parleyd --retention > docs/retention.md";
}

}  // namespace
}  // namespace parley::features
