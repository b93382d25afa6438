// The rules of the tree that a compiler does not enforce, as data and as one function over source text: what
// a folder may include, which files may name a library or an index, how long a file may be, what its README
// names.
//
// gateway → fanout → threads, accounts → storage → protocol → protocol/base
#pragma once

#include <map>
#include <string>
#include <vector>

namespace parley::levels {

struct SourceFile {
  std::string path;  // from the root of the repository, with '/'
  std::string text;
};

// The sources of the repository at `root`: those in folders that the rules cover.
std::vector<SourceFile> ReadTree(const std::string& root);

// Violations of the rules, one sentence each, beginning with "path:line: ". Empty if there are none.
std::vector<std::string> Complaints(const std::vector<SourceFile>& tree);

// README.md of the folders that the rules cover, by folder: "gateway/".
using Guides = std::map<std::string, std::string>;
Guides ReadGuides(const std::string& root);

// Headers that the README of their folder does not name: a reader would not learn of them. A README names, in
// backquotes, a header by its name or its path from the folder, all that share a prefix by `prefix*`, all of
// a subfolder by `subfolder/`.
std::vector<std::string> UnnamedHeaders(const std::vector<SourceFile>& tree, const Guides& guides);

}  // namespace parley::levels
