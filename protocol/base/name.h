// Cleans the names that people give to themselves, conversations, labels, cities, keys and tenants. All of
// them use this one rule, when the name is received. Pure, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parley::protocol {

// Returns the name on one line, in NFC, without invisible characters:
//
//   removed   controls of direction (U+202A–202E, U+2066–2069 and the marks), other characters that show
//             nothing (U+200B, U+FEFF, U+00AD, fillers, unused tags …), control characters, noncharacters,
//             white space at both ends
//   kept      ZWJ and ZWNJ between two characters of a word or of an emoji, a variation selector after a
//             visible character, the tags of a flag
//   changed   a line break, a tab or a blank of Braille becomes a space
//
// Empty if nothing visible is left. CleanName(CleanName(x)) == CleanName(x). Linear in the text, except for
// runs of combining marks, which the field's bound limits. Invalid UTF-8 becomes U+FFFD.
std::string CleanName(std::string_view text);

// Returns nullopt if the name is missing or blank; for things that need no name.
std::optional<std::string> CleanTitle(const std::optional<std::string_view>& given);
// The same for an optional text of bounded length, as args have it.
template <class Text>
std::optional<std::string> CleanTitle(const std::optional<Text>& given) {
  return CleanTitle(given ? std::optional<std::string_view>(given->value) : std::nullopt);
}

}  // namespace parley::protocol
