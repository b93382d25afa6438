// The documents are consistent: every link between Markdown files leads to an existing file and heading, the
// contents list every page, and the paths that design.md names exist.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/repository.h"

namespace parley::levels {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Pages = std::map<std::string, std::string>;  // text, by path from the root

// The Markdown of the repository, without packages, builds and data.
Pages ReadPages(const fs::path& root) {
  static const std::set<std::string> kSkipped = {"node_modules", "build", "dist", "var", ".git"};
  Pages pages;
  for (auto at = fs::recursive_directory_iterator(root); at != fs::recursive_directory_iterator(); ++at) {
    if (at->is_directory() && kSkipped.contains(at->path().filename().string()))
      at.disable_recursion_pending();
    if (at->path().extension() != ".md" || !at->is_regular_file()) continue;
    const std::string path = fs::relative(at->path(), root).generic_string();
    pages.emplace(path, tests::RepositoryText(path));
  }
  return pages;
}

// The text without fenced blocks.
std::string ProseOf(const std::string& text) {
  std::istringstream lines(text);
  std::string prose;
  bool fenced = false;
  for (std::string line; std::getline(lines, line);) {
    const bool fence = line.find_first_not_of(' ') != std::string::npos &&
                       line.compare(line.find_first_not_of(' '), 3, "```") == 0;
    if (fence) fenced = !fenced;
    if (!fence && !fenced) prose += line + "\n";
  }
  return prose;
}

// The name by which a link refers to a heading.
std::string AnchorOf(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '-' || c == '_' || byte >= 0x80)
      anchor += static_cast<char>(std::tolower(byte));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

std::set<std::string> AnchorsOf(const std::string& text) {
  std::set<std::string> anchors;
  std::istringstream lines(ProseOf(text));
  for (std::string line; std::getline(lines, line);) {
    const size_t title = line.find_first_not_of('#');
    if (title == 0 || title == std::string::npos || line[title] != ' ') continue;
    anchors.insert(AnchorOf(line.substr(title + 1)));
  }
  return anchors;
}

struct Link {
  std::string file, anchor;  // as written; either may be empty
};
std::vector<Link> LinksOf(const std::string& text) {
  const std::string prose = ProseOf(text);
  static const std::regex link(R"(\]\(([^)\s#]*)(#[^)\s]*)?\))");
  std::vector<Link> links;
  for (std::sregex_iterator at(prose.begin(), prose.end(), link), end; at != end; ++at) {
    const std::string file = (*at)[1], anchor = (*at)[2];
    if (file.find(':') == std::string::npos) links.push_back({file, anchor.empty() ? "" : anchor.substr(1)});
  }
  return links;
}

std::string Beside(const std::string& page, const std::string& file) {
  if (file.empty()) return page;
  return (fs::path(page).parent_path() / file).lexically_normal().generic_string();
}

std::vector<std::string> BrokenLinks(const Pages& pages,
                                     const std::function<bool(const std::string&)>& exists) {
  std::vector<std::string> broken;
  for (const auto& [path, text] : pages) {
    for (const Link& link : LinksOf(text)) {
      const std::string target = Beside(path, link.file);
      const auto page = pages.find(target);
      if (page == pages.end() ? !exists(target)
                              : !link.anchor.empty() && !AnchorsOf(page->second).contains(link.anchor))
        broken.push_back(path + ": leads to " + target + (link.anchor.empty() ? "" : "#" + link.anchor));
    }
  }
  return broken;
}

// Pages of docs/ that the contents do not list. The page with a subfolder's name lists the pages in the
// subfolder.
std::vector<std::string> UnlistedPages(const Pages& pages) {
  std::set<std::string> listed = {"docs/README.md"};
  std::vector<std::string> unlisted;
  for (const auto& [path, text] : pages) {
    if (!path.starts_with("docs/")) continue;
    for (const Link& link : LinksOf(text)) {
      const std::string target = Beside(path, link.file);
      const std::string folder = fs::path(target).parent_path().generic_string();
      if (folder == "docs" ? path == "docs/README.md" : path == folder + ".md") listed.insert(target);
    }
  }
  for (const auto& [path, text] : pages)
    if (path.starts_with("docs/") && !listed.contains(path)) unlisted.push_back(path);
  return unlisted;
}

TEST(Documents, every_link_leads_to_a_file_and_heading) {
  const fs::path root = tests::RepositoryPath("");
  const Pages pages = ReadPages(root);
  ASSERT_TRUE(pages.contains("README.md") && pages.contains("docs/design.md"));
  EXPECT_THAT(BrokenLinks(pages, [&](const std::string& path) { return fs::exists(root / path); }),
              IsEmpty());
}

TEST(Documents, a_link_to_a_missing_file_or_heading_is_reported) {
  const auto broken = [](const std::string& text) {
    return BrokenLinks({{"docs/a.md", text}, {"docs/b.md", "# The `b`, in full\n```\n# no heading\n```\n"}},
                       [](const std::string& path) { return path == "docs/c.json"; });
  };
  EXPECT_THAT(broken("[b](b.md), [b](b.md#the-b-in-full), [c](c.json), [d](https://d.example/e)\n"),
              IsEmpty());
  EXPECT_THAT(broken("```\n[x](x.md)\n```\n"), IsEmpty());
  EXPECT_THAT(broken("[x](x.md)"), ElementsAre("docs/a.md: leads to docs/x.md"));
  EXPECT_THAT(broken("[b](../b.md)"), ElementsAre(HasSubstr("leads to b.md")));
  EXPECT_THAT(broken("[b](b.md#no-heading)"), ElementsAre(HasSubstr("docs/b.md#no-heading")));
  EXPECT_THAT(broken("[a](#nowhere)"), ElementsAre(HasSubstr("docs/a.md#nowhere")));
}

TEST(Documents, the_contents_list_every_page) {
  EXPECT_THAT(UnlistedPages(ReadPages(tests::RepositoryPath(""))), IsEmpty());
  Pages pages = {
      {"docs/README.md", "[a](a.md)"}, {"docs/a.md", "[b](b.md) [one](a/one.md)"}, {"docs/a/one.md", ""}};
  EXPECT_THAT(UnlistedPages(pages), IsEmpty());
  pages["docs/b.md"] = pages["docs/a/two.md"] = "";
  EXPECT_THAT(UnlistedPages(pages), ElementsAre("docs/a/two.md", "docs/b.md"));
}

// A longer page should be split by topic.
TEST(Documents, no_page_has_more_than_5000_words) {
  for (const auto& [path, text] : ReadPages(tests::RepositoryPath(""))) {
    if (!path.starts_with("docs/")) continue;
    std::istringstream words(text);
    const auto count =
        std::distance(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
    EXPECT_LE(count, 5000) << path;
  }
}

TEST(Documents, the_design_names_files_that_exist) {
  const std::string text = tests::RepositoryText("docs/design.md");
  static const std::regex path(R"(`([a-z_]+/[\w./]+)`)");
  size_t found = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), path), end; at != end; ++at, ++found)
    EXPECT_TRUE(fs::exists(tests::RepositoryPath((*at)[1]))) << (*at)[1];
  EXPECT_GT(found, 50u);
}

}  // namespace
}  // namespace parley::levels
