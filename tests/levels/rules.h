// The rules of the tree that a compiler does not enforce, as data and as one function over source text:
// allowed includes, files that may name a library or an index, the length of a file, the beginning of a
// header.
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

// Returns violations of the rules, one sentence each, beginning with "path:line: "; empty if the tree follows
// them.
std::vector<std::string> Complaints(const std::vector<SourceFile>& tree);

// Pairs of folders, at any depth, whose files include each other: "a <-> b".
std::vector<std::string> MutualIncludes(const std::vector<SourceFile>& tree);

// Returns headers that do not begin with a comment about their content: a sentence of at least three words
// that ends in a full stop or colon, above everything else.
std::vector<std::string> HeadersWithoutSentence(const std::vector<SourceFile>& tree);

}  // namespace parley::levels
