// Headers that change often are included by few sources: a change of a message's field compiles only the
// sources that use messages, and a change of the node few of the server's tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/levels/rules.h"
#include "tests/repository.h"

namespace parley::levels {
namespace {

using ::testing::ElementsAre;

using Includers = std::map<std::string, std::vector<std::string>>;  // by the included header

Includers IncludersIn(const std::vector<SourceFile>& tree) {
  constexpr std::string_view kInclude = "\n#include \"";
  Includers out;
  for (const SourceFile& file : tree) {
    const std::string text = "\n" + file.text;
    for (size_t at = text.find(kInclude); at != text.npos; at = text.find(kInclude, at)) {
      at += kInclude.size();
      out[text.substr(at, text.find('"', at) - at)].push_back(file.path);
    }
  }
  return out;
}

// The sources that include a header, directly or through other headers.
std::vector<std::string> SourcesReachedBy(const std::string& header, const Includers& includers) {
  std::set<std::string> seen = {header};
  std::vector<std::string> open = {header}, out;
  while (!open.empty()) {
    const auto found = includers.find(open.back());
    open.pop_back();
    if (found == includers.end()) continue;
    for (const std::string& includer : found->second) {
      if (!seen.insert(includer).second) continue;
      (includer.ends_with(".cc") ? out : open).push_back(includer);
    }
  }
  return out;
}

TEST(Reach, follows_headers_and_ends_at_sources) {
  const std::vector<SourceFile> tree = {
      {"a.h", ""},
      {"b.h", "#include \"a.h\"\n#include \"c.h\"\n"},
      {"c.h", "#include \"b.h\"\n"},
      {"c.cc", "#include \"c.h\"\n"},
      {"d.cc", "#include \"d.h\"\n"},
  };
  EXPECT_THAT(SourcesReachedBy("a.h", IncludersIn(tree)), ElementsAre("c.cc"));
}

// If this fails, a header has begun to include one of these. A declaration is enough for a header that holds
// no such value.
TEST(Reach, of_headers_that_change_often_is_short) {
  const Includers includers = IncludersIn(ReadTree(tests::RepositoryPath("")));
  const std::map<std::string, size_t> most = {
      {"protocol/message_items.h", 124},
      {"gateway/app/node.h", 140},
  };
  for (const auto& [header, limit] : most) {
    const std::vector<std::string> reached = SourcesReachedBy(header, includers);
    EXPECT_FALSE(reached.empty()) << header << " was not found";
    EXPECT_LE(reached.size(), limit) << header << " reaches too many sources";
  }
}

}  // namespace
}  // namespace parley::levels
