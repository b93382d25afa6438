// Text as a person would read it, whatever characters it was written with: characters that Markdown and links
// spell out ("&#112;", "%70") are read, compatibility forms and case are
// folded, marks and invisible characters left out, and each place says which letters its character may stand
// for ("3" for e, Cyrillic "а" for a, "*" for any).
//
// Linear in the text. Thread-safe: what is known of characters is filled in as they are met.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace parley::threads::text {

struct Unit {
  static constexpr size_t kReadingsMax = 4;
  char32_t readings[kReadingsMax] = {};  // what it may be read as; the first is what it is
  uint8_t count = 0;                     // of readings; a separator may have some, too ("$" for s)
  char mark = 0;       // of separators: themselves, folded to ASCII where they can be; kOther otherwise
  bool upper = false;  // was written with a capital
  bool alone = false;  // has no letter or digit directly beside it
  uint32_t begin = 0, end = 0;  // the bytes in the text

  static constexpr char kOther = '\1';
  bool is_word() const { return mark == 0; }  // a letter or digit
  bool reads(char32_t c) const {
    for (uint8_t i = 0; i < count; ++i) {
      if (readings[i] == c) return true;
    }
    return false;
  }
};

// Invalid UTF-8 is taken for separators.
void Fold(std::string_view text, std::vector<Unit>* out);

}  // namespace parley::threads::text
