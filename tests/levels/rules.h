// The rules of the tree that a compiler does not enforce, as data and as one function over source text: what
// a folder may include, which files may name a library or an index, how long a file may be, how a header
// begins.
//
// ctl → gateway → features → fanout → threads, accounts → storage → protocol → protocol/base
#pragma once

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

// Pairs of folders, at any depth, whose files include each other: "a <-> b".
std::vector<std::string> MutualIncludes(const std::vector<SourceFile>& tree);

// Headers that do not begin with a comment whose first sentence says what they hold: at least three words, up
// to a full stop or colon, above everything else.
std::vector<std::string> HeadersWithoutSentence(const std::vector<SourceFile>& tree);

}  // namespace parley::levels
