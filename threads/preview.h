// What people wrote, on one line: as an inbox shows it, and as the server quotes it.
//
// All functions are pure and may be called from any thread; invalid UTF-8 is passed on untouched.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::threads {

// Code points of a preview, the closing '…' included.
inline constexpr size_t kPreviewCodePointsMax = 140;

// The text of `body` on one line: markup reduced to what a reader sees, runs of white space to one space, cut
// with '…' between code points.
[[nodiscard]] std::string Preview(std::string_view body);

// What members wrote, for the server to quote: on one line, cut with '…' after so many code points, and
// without what any reader of Markdown would take for markup or a link.
inline constexpr size_t kQuoteCodePointsMax = 80;
[[nodiscard]] std::string Quotable(std::string_view text);

}  // namespace parley::threads
