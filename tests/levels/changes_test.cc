// A change touches as few files as CONTRIBUTING.md says: for each row with an example, the files that name the
// example are counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "tests/levels/rules.h"
#include "tests/repository.h"

namespace parley::levels {
namespace {

bool IsServerCode(const std::string& path) {
  for (const char* beside : {"tests/", "bench/"}) {
    if (path.starts_with(beside)) return false;
  }
  return true;
}

std::vector<std::string> FilesNaming(const std::vector<SourceFile>& tree, const std::string& name) {
  const std::regex word("\\b" + name + "\\b");
  std::vector<std::string> out;
  for (const SourceFile& file : tree) {
    if (IsServerCode(file.path) && std::regex_search(file.text, word)) out.push_back(file.path);
  }
  return out;
}

TEST(Changes, touch_as_many_files_as_the_guide_says) {
  const std::vector<SourceFile> tree = ReadTree(tests::RepositoryPath(""));
  const std::string guide = tests::RepositoryText("CONTRIBUTING.md");
  const std::regex example(R"(\| `(\w+)`: (\d+) \|)");
  size_t examples = 0;
  for (std::sregex_iterator at(guide.begin(), guide.end(), example), end; at != end; ++at, ++examples) {
    const std::vector<std::string> files = FilesNaming(tree, (*at)[1]);
    std::string listed;
    for (const std::string& file : files) listed += "\n  " + file;
    EXPECT_EQ(files.size(), std::stoul((*at)[2])) << (*at)[1] << " is named by" << listed;
  }
  EXPECT_GE(examples, 7u) << "the guide's table has lost its examples";
}

}  // namespace
}  // namespace parley::levels
