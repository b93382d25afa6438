// The generated documents in docs/ equal the output of `parleyd --docs`.
#include "gateway/documents.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/repository.h"

namespace parley::gateway {
namespace {

TEST(GeneratedDocuments, in_docs_match_the_output_of_the_server) {
  for (const protocol::DocPage& page : GeneratedDocuments())
    EXPECT_EQ(tests::RepositoryText("docs/" + page.path), page.text) << "regenerate: parleyd --docs docs";
}

TEST(GeneratedDocuments, are_written_with_their_folders_created) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "generated_documents";
  std::filesystem::remove_all(folder);
  ASSERT_EQ(WriteDocuments(folder.string()), "");
  for (const protocol::DocPage& page : GeneratedDocuments()) {
    std::ostringstream text;
    text << std::ifstream(folder / page.path).rdbuf();
    EXPECT_EQ(text.str(), page.text) << page.path;
  }
  EXPECT_EQ(WriteDocuments((folder / "cards.md").string()),
            (folder / "cards.md" / "configuration.md").string() + ": cannot be written");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace parley::gateway
