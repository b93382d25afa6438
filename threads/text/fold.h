// Folds a text to the letters that a person would read, whatever characters it was written with. Characters
// that Markdown and links spell out ("&#112;", "%70") are decoded, compatibility forms and case are folded,
// marks and invisible characters left out, and each place lists the letters that its character may represent
// ("3" for e, Cyrillic "а" for a, "*" for any).
//
// Linear in the text. Thread-safe: the table of characters is filled in as they occur.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace parley::threads::text {

struct Unit {
  static constexpr size_t kReadingsMax = 4;
  char32_t readings[kReadingsMax] = {};  // the possible readings, the character itself first
  uint8_t count = 0;                     // number of readings; a separator may have some, too ("$" for s)
  char mark = 0;       // for separators: the character, folded to ASCII if possible, otherwise kOther
  bool upper = false;  // was a capital letter
  bool alone = false;  // has no letter or digit directly beside it
  uint32_t begin = 0, end = 0;  // range of bytes in the text

  static constexpr char kOther = '\1';
  bool is_word() const { return mark == 0; }  // a letter or digit
  bool reads(char32_t c) const {
    for (uint8_t i = 0; i < count; ++i) {
      if (readings[i] == c) return true;
    }
    return false;
  }
};

// Treats invalid UTF-8 as separators.
void Fold(std::string_view text, std::vector<Unit>* out);

}  // namespace parley::threads::text
