// What happens to a message body before it is stored (protocol.md §5).
//
// All functions are pure and may be called from any thread. Bodies are UTF-8 of at most 8 KiB; larger ones
// work too, and invalid UTF-8 is passed on untouched.
#pragma once

#include <string>
#include <string_view>

namespace parley::threads {

// Returns `body` without raw HTML tags (elements, comments, processing instructions, declarations, CDATA
// markers) and without link targets whose scheme is not http, https or mailto; every other byte is unchanged
// and nothing is added, so the result is a subsequence of `body`. HTML inside code spans and code blocks is
// text and stays.
//
//   <b>hi</b> `<b>`             gives  hi `<b>`
//   [x](javascript:y "title")   gives  [x]()      (the title alone would be read as the target)
//   [x]: javascript:y           gives  [x]        (`[x]:` would take the next line as its target)
//   <ftp://host/x>              gives  nothing    (the target is the text)
//
// Sanitizing twice gives the same as once, and what is returned has no raw HTML by CommonMark's rules, with
// or without HTML blocks. Bodies that nobody writes are treated more roughly: where parsers are known to
// differ in what is code, blanks that make the difference go; where that does not help, and where tags hide
// in tags many deep, every '<' goes and every ']' that could begin a target, also in code (see sanitize.cc).
[[nodiscard]] std::string SanitizeMarkdown(std::string_view body);

}  // namespace parley::threads
