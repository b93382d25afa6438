// What people wrote, on one line: as an inbox shows it, and as the server quotes it. Bodies are Markdown by
// convention and kept as they came (docs/rendering.md), so this is no rendering: one scan over the beginning
// of the text, whose cost does not depend on what follows.
//
// All functions are pure and may be called from any thread; invalid UTF-8 is passed on untouched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parley::threads {

// Code points of a preview, the closing '…' included.
inline constexpr size_t kPreviewCodePointsMax = 140;
// How much of a body is looked at.
inline constexpr size_t kPreviewScanBytes = 2048;
// By which rule previews are made. Rows remember theirs, so that whoever proves them right does not judge an
// older one by today's; rises with every change of what Preview returns.
inline constexpr int64_t kPreviewRule = 1;

// The beginning of `body` on one line, as plain text: runs of white space are one space, and these marks go:
//
//   at the start of a line   > and # with blanks behind them, the bullet of a list, a line of --- or ===, a
//   line
//                            that opens or closes a code block
//   anywhere                 backquotes; *, _ and ~~ next to a word (an _ within one stays); of
//   [text](target)
//                            all but the text; the backslash before a punctuation mark
//
// Everything else stays: HTML is text. What is too long, or goes on beyond what is looked at, ends with '…',
// between characters as people see them where that is easy (an emoji with its modifiers, a letter with its
// accents).
// `steps`: how often a byte was looked at, for tests.
[[nodiscard]] std::string Preview(std::string_view body, size_t* steps = nullptr);

// What members wrote, for the server to quote: on one line, cut with '…' after so many code points, and
// without what any reader of Markdown would take for markup or a link.
inline constexpr size_t kQuoteCodePointsMax = 80;
[[nodiscard]] std::string Quotable(std::string_view text);

}  // namespace parley::threads
