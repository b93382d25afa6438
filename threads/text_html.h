// Raw HTML that the Markdown parser in use does not report, because it is asked not to look for HTML blocks
// and because CommonMark's rules changed after its release. Readers of stored messages render them with
// parsers of any version. Pure functions over source text, any thread.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace parley::threads {

// Whether text[at], a '<' that stands first on its line, begins an HTML block of kinds 1 to 6 in any version
// of CommonMark from 0.28 to 0.31: a complete tag is not needed, `<iframe src=x` followed by a line break is
// enough. (Kind 7 needs a complete tag, which is inline HTML too.)
bool StartsHtmlBlock(std::string_view text, size_t at);

// Finds the ends of comments, processing instructions, declarations and CDATA sections by the rules of
// CommonMark 0.31, where a comment may contain "--" and `<!-->` is one. Asked with growing offsets it reads
// the text once per closer.
class SpecialTagFinder {
 public:
  explicit SpecialTagFinder(std::string_view text) : text_(text) {}

  // The offset behind the tag that begins at text[at] and ends at or before `limit`; 0 when there is none.
  // REQUIRES: `at` is not below that of the call before.
  size_t End(size_t at, size_t limit);

 private:
  enum Closer { kComment, kInstruction, kDeclaration, kCdata, kClosers };

  size_t Find(Closer closer, size_t from);

  std::string_view text_;
  std::array<size_t, kClosers> next_{};  // the first closer found so far that may still count
};

// `text` without what every raw HTML tag, autolink, inline link and reference definition needs: all '<', and
// then each run of ']' before '(' or ':'. One pass over the text leaves nothing that a Markdown parser could
// take for one.
std::string WithoutMarkupOpeners(std::string_view text);

}  // namespace parley::threads
