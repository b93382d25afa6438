#include "protocol/base/clusters.h"

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include <algorithm>
#include <memory>

namespace parley::protocol {
namespace {

bool Continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// The last start of a code point at or before `at`. REQUIRES: at < text.size().
size_t CodePointAt(std::string_view text, size_t at) {
  constexpr size_t kContinuationsMost = 3;
  size_t start = at;
  while (start > 0 && at - start < kContinuationsMost && Continues(text[start])) --start;
  return Continues(text[start]) ? at : start;  // otherwise the text is invalid UTF-8
}

// Opening an iterator reads ICU's rules, so each thread keeps its own.
UBreakIterator* Breaks() {
  struct Closer {
    void operator()(UBreakIterator* iterator) const { ubrk_close(iterator); }
  };
  thread_local const std::unique_ptr<UBreakIterator, Closer> iterator = [] {
    UErrorCode error = U_ZERO_ERROR;
    return std::unique_ptr<UBreakIterator, Closer>(ubrk_open(UBRK_CHARACTER, "", nullptr, 0, &error));
  }();
  return iterator.get();
}

bool IsAscii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

// The last end of a cluster at or before `at`. REQUIRES: 0 < at < text.size(), the start of a code point.
size_t ClusterEnd(std::string_view text, size_t at) {
  if (IsAscii(text[at - 1]) && IsAscii(text[at]) && text[at] != '\n') return at;
  UBreakIterator* const breaks = Breaks();
  constexpr size_t kCodePointMost = 4;
  const std::string_view seen = text.substr(0, at + kCodePointMost);
  UErrorCode error = U_ZERO_ERROR;
  UText* const opened = utext_openUTF8(nullptr, seen.data(), static_cast<int64_t>(seen.size()), &error);
  if (breaks) ubrk_setUText(breaks, opened, &error);
  const bool usable = breaks && U_SUCCESS(error);
  const auto offset = static_cast<int32_t>(at);
  int32_t end = offset;
  if (usable && !ubrk_isBoundary(breaks, offset)) end = ubrk_preceding(breaks, offset);
  utext_close(opened);
  return static_cast<size_t>(std::max(end, 0));
}

}  // namespace

std::string_view FirstBytes(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  if (bytes == 0) return {};
  const size_t at = CodePointAt(text, bytes);
  const size_t end = at == 0 ? 0 : ClusterEnd(text, at);
  return text.substr(0, end > 0 ? end : at);
}

std::string_view FirstCodePoints(std::string_view text, size_t code_points) {
  size_t at = 0;
  for (size_t points = 0; at < text.size(); ++at) {
    if (!Continues(text[at]) && ++points > code_points) break;
  }
  return at == text.size() || at == 0 ? text.substr(0, at) : text.substr(0, ClusterEnd(text, at));
}

}  // namespace parley::protocol
