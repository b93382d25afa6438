// Shortens a text to one line, for an inbox and for quotations by the server. Bodies are Markdown by
// convention and stored unchanged (docs/rendering.md). This does not render them: it scans the beginning of
// the text once, at a cost that does not depend on the rest.
//
// All functions are pure and may be called from any thread; invalid UTF-8 passes through unchanged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/message_items.h"

namespace parley::threads {

// Code points of a preview, including the closing '…'.
inline constexpr size_t kPreviewCodePointsMax = 140;
// The number of bytes of a body that are examined.
inline constexpr size_t kPreviewScanBytes = 2048;
// The version of the preview rule. Each row records the version that made its preview, so that verification
// does not judge an old preview by the new rule; raise it with every change of the result of Preview.
inline constexpr int64_t kPreviewRule = 3;
// From this version on, previews of requests are cut by protocol::FirstCodePoints.
inline constexpr int64_t kCodePointsRule = 2;

// The beginning of `body` on one line, as plain text: runs of white space become one space, and these marks
// are removed:
//
//   at the start of a line   > and # followed by blanks, the bullet of a list, a line of --- or ===, a fence
//                            that opens or closes a code block
//   anywhere                 backquotes; *, _ and ~~ next to a word (an _ within a word stays); everything
//                            in [text](target) except the text; the backslash before a punctuation mark
//
// Everything else stays, HTML included. If the text is too long, or goes on beyond the part examined, it ends
// with '…', placed between grapheme clusters (protocol/base/clusters.h). `steps` receives the number of times
// that a byte was examined, for tests.
[[nodiscard]] std::string Preview(std::string_view body, size_t* steps = nullptr);

// The preview of a message: of its body, or else a word for its attachments, like "Photo". It never has their
// names, which Safe-Mode may keep from some readers.
[[nodiscard]] std::string PreviewOf(const protocol::Message& message);

// A member's text for the server to quote: on one line, cut with '…' after kQuoteCodePointsMax code points,
// and without anything that a reader of Markdown would take for markup or a link.
inline constexpr size_t kQuoteCodePointsMax = 80;
[[nodiscard]] std::string Quotable(std::string_view text);

}  // namespace parley::threads
