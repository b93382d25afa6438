#include "storage/declarations/document.h"

#include <gtest/gtest.h>

#include "storage/declarations/load.h"
#include "tests/repository.h"

namespace parley::storage {
namespace {

std::string AllText(const std::vector<protocol::DocPage>& pages) {
  std::string all;
  for (const protocol::DocPage& page : pages) all += page.text + "\n";
  return all;
}

TEST(TablesDocument, in_docs_equals_the_programs_output) {
  for (const protocol::DocPage& page : TablePages())
    EXPECT_EQ(tests::RepositoryText("docs/" + page.path), page.text) << "regenerate: parleyd --docs docs";
}

TEST(TablesDocument, has_pages_that_one_can_read) {
  SystemDef system;
  system.name = "long";
  for (const char* name : {"one", "two", "three"}) {
    auto table = std::make_shared<TableDef>();
    table->name = name;
    table->keys.hash.name = "pk";
    for (int word = 0; word < 1500; ++word) table->about += "word ";
    system.tables.push_back(table);
  }
  const auto pages = TablePages({system});
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[0].path, "tables/long.md");
  EXPECT_EQ(pages[1].path, "tables/long-2.md");
  EXPECT_NE(pages[0].text.find("## `two`\n"), std::string::npos);
  EXPECT_TRUE(pages[1].text.starts_with("# Tables: long, page 2\n"));
}

// The document leaves out nothing of a declaration.
TEST(TablesDocument, names_every_table_index_attribute_and_pattern) {
  const std::string text = AllText(TablePages());
  const auto expect = [&](const std::string& what) { EXPECT_NE(text.find(what), std::string::npos) << what; };
  for (const SystemDef& system : SeedSystems()) {
    expect("# Tables: " + system.name + "\n");
    for (const TableDefPtr& table : system.tables) {
      expect("## `" + table->name + "`\n");
      for (const IndexDef& index : table->indexes) expect("| `" + index.name + "` |");
      for (const AccessPattern& pattern : table->patterns) expect("| " + pattern.id + " |");
      for (const ItemKind& kind : table->kinds) {
        for (const AttributeRule& rule : kind.attributes) expect("| `" + rule.name + "` |");
      }
    }
  }
}

TEST(TablesDocument, keeps_a_bar_within_its_cell) {
  SystemDef system;
  auto table = std::make_shared<TableDef>();
  table->name = "odd";
  table->keys.hash.name = "pk";
  table->patterns = {{"P-1", "this | that", "GetItem"}};
  system.tables.push_back(table);
  EXPECT_NE(AllText(TablePages({system})).find("| P-1 | this \\| that | GetItem |\n"), std::string::npos);
}

}  // namespace
}  // namespace parley::storage
