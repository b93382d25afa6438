// Reduces a text to the plain text that a person reads, for comparing texts.
#pragma once

#include <string>
#include <string_view>

namespace parley::threads::text {

// Returns the letters and digits in one case, without marks, invisible characters and separators; characters
// that look like ASCII letters become these. Returns a text without letters or digits unchanged. Linear in
// the text. Thread-safe.
std::string ReadingOf(std::string_view text);

}  // namespace parley::threads::text
