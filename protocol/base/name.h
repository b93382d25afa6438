// Names that people give: of themselves, their conversations, labels, cities, keys and tenants. One rule for
// all of them, applied where a name comes in. Pure, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parley::protocol {

// The name on one line, in NFC, without what nobody sees:
//
//   removed   controls of direction (U+202A–202E, U+2066–2069 and the marks), other characters that show
//             nothing (U+200B, U+FEFF, U+00AD, fillers, unused tags …), control characters, noncharacters,
//             white space at both ends
//   kept      ZWJ and ZWNJ between two characters of a word or of an emoji, a variation selector behind a
//             visible character, the tags of a flag
//   changed   a line break, a tab or a blank of Braille becomes a space
//
// Empty if nothing is left to be seen. CleanName(CleanName(x)) == CleanName(x). Linear in the text, but for
// runs of combining marks, whose number the field's bound limits. Invalid UTF-8 becomes U+FFFD.
std::string CleanName(std::string_view text);

// Of what need not have a name: none if it is blank, or not given.
std::optional<std::string> CleanTitle(const std::optional<std::string_view>& given);
// The same of an optional text of bounded length, as args have it.
template <class Text>
std::optional<std::string> CleanTitle(const std::optional<Text>& given) {
  return CleanTitle(given ? std::optional<std::string_view>(given->value) : std::nullopt);
}

}  // namespace parley::protocol
