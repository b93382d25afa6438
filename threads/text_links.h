// Where link targets stand in Markdown source, and which of them may stay. The Markdown parser says that
// there is a link; these functions say which bytes are its target (CommonMark 0.29 §4.7 and §6.5). Pure
// functions, any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace parley::threads {

// Offsets are half-open. The target's range includes its angle brackets; `contents` is what stands inside
// them.
struct LinkTarget {
  size_t begin = 0;
  size_t end = 0;
  size_t title_end = 0;  // == end when there is no title
  std::string_view contents;
};

// text[paren] is the '(' behind a link text. `end` is the offset behind the closing ')'.
struct InlineTail {
  LinkTarget target;
  size_t end = 0;
};
std::optional<InlineTail> ParseInlineTail(std::string_view text, size_t paren);

// text[bracket] is a '[' that begins a line.
struct Definition {
  size_t colon = 0;
  LinkTarget target;
  size_t end = 0;  // of the line on which the target, or the title, ends
};
// Nothing when something else follows on that line.
std::optional<Definition> ParseDefinition(std::string_view text, size_t bracket);

// The target as the parser reports it: backslash escapes resolved, character references as written.
std::string Unescape(std::string_view contents);

// The first characters of a target, read as a browser reads them: leading control characters and spaces, and
// tabs and line breaks anywhere, do not count (WHATWG URL §4.4), so that "java\nscript:" cannot pass for
// something harmless.
class SchemeReader {
 public:
  void Add(char32_t code_point);
  // A whole character reference. No name outside of DecodeEntity's list stands for anything a scheme may
  // hold.
  void AddEntity(std::string_view entity);
  // True for http, https, mailto and for a target without a single character.
  [[nodiscard]] bool Allowed() const;

 private:
  std::string seen_;
  bool empty_ = true;
  bool complete_ = false;  // the colon was seen
};

// Whether the target with these contents (escapes and references as written in the source) may stay.
bool TargetAllowed(std::string_view contents);

}  // namespace parley::threads
