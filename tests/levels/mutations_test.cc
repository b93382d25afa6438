// The list of scripts/mutate is up to date: every pattern occurs exactly once in its file, and every mutation
// names the test that catches it.
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/repository.h"

namespace parley::levels {
namespace {

struct Mutation {
  std::string name, file, pattern, replacement, caught;
};

// Parses like tests/mutate/mutate.mjs.
std::vector<Mutation> ReadMutations() {
  std::vector<Mutation> out;
  std::istringstream lines(tests::RepositoryText("tests/mutate/mutations.txt"));
  const auto add = [](std::string* text, const std::string& line, bool first) {
    if (!first) *text += '\n';
    *text += line.substr(1);
  };
  bool first_pattern = true, first_replacement = true;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("[")) {
      out.push_back({line.substr(1, line.size() - 2), "", "", "", ""});
      first_pattern = first_replacement = true;
    } else if (line.starts_with("file ")) {
      out.back().file = line.substr(5);
    } else if (line.starts_with("-")) {
      add(&out.back().pattern, line, std::exchange(first_pattern, false));
    } else if (line.starts_with("+")) {
      add(&out.back().replacement, line, std::exchange(first_replacement, false));
    } else if (line.starts_with("caught ")) {
      out.back().caught = line.substr(7);
    } else {
      EXPECT_TRUE(line.empty() || line.starts_with("#")) << line;
    }
  }
  return out;
}

size_t Count(const std::string& text, const std::string& pattern) {
  size_t times = 0;
  for (size_t at = 0; (at = text.find(pattern, at)) != std::string::npos; ++at) ++times;
  return times;
}

TEST(Mutations, each_pattern_occurs_once_and_names_the_test_that_catches_it) {
  const auto mutations = ReadMutations();
  EXPECT_GE(mutations.size(), 40u);
  std::set<std::string> names;
  for (const Mutation& one : mutations) {
    SCOPED_TRACE(one.name);
    EXPECT_TRUE(names.insert(one.name).second) << "the name is there twice";
    ASSERT_FALSE(one.pattern.empty());
    EXPECT_NE(one.pattern, one.replacement);
    EXPECT_EQ(Count(tests::RepositoryText(one.file), one.pattern), 1u) << "in " << one.file;
    EXPECT_NE(one.caught.find("_test "), std::string::npos) << one.caught;
  }
}

}  // namespace
}  // namespace parley::levels
