// What a person reads in a text, as plain text: for those who compare texts.
#pragma once

#include <string>
#include <string_view>

namespace parley::threads::text {

// Letters and digits in one case, without marks, invisible characters and whatever separates them;
// look-alikes of ASCII letters as these. Of a text without either: itself. Linear in the text. Thread-safe.
std::string ReadingOf(std::string_view text);

}  // namespace parley::threads::text
