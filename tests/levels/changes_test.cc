// A change touches as few files as CONTRIBUTING.md lists: counts, for each row with an example, the files
// that name the example.
#include <gtest/gtest.h>

#include <cctype>
#include <regex>
#include <string>
#include <string_view>
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

bool Names(std::string_view text, std::string_view name) {
  const auto in_word = [&](size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    if (!in_word(at - 1) && !in_word(at + name.size())) return true;
  }
  return false;
}

std::vector<std::string> FilesNaming(const std::vector<SourceFile>& tree, const std::string& name) {
  std::vector<std::string> out;
  for (const SourceFile& file : tree) {
    if (IsServerCode(file.path) && Names(file.text, name)) out.push_back(file.path);
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
