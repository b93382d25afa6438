#include "storage/declarations/document.h"

#include <gtest/gtest.h>

#include "storage/declarations/load.h"
#include "tests/repository.h"

namespace parley::storage {
namespace {

TEST(TablesDocument, in_docs_is_what_the_program_prints) {
  const std::string text = tests::RepositoryText("docs/tables.md");
  const size_t begin = text.find("## The tables\n");
  ASSERT_NE(begin, std::string::npos);
  EXPECT_EQ(text.substr(begin), TablesManual())
      << "replace everything from '## The tables' on in docs/tables.md by the output of parleyd --tables";
}

// Nothing of a declaration is lost on the way.
TEST(TablesDocument, names_every_table_index_attribute_and_pattern) {
  const std::string text = TablesManual();
  const auto expect = [&](const std::string& what) { EXPECT_NE(text.find(what), std::string::npos) << what; };
  for (const SystemDef& system : SeedSystems()) {
    expect("### " + system.name + "\n");
    for (const TableDefPtr& table : system.tables) {
      expect("#### `" + table->name + "`\n");
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
  EXPECT_NE(TablesText({system}).find("| P-1 | this \\| that | GetItem |\n"), std::string::npos);
}

}  // namespace
}  // namespace parley::storage
