// Splits C++ source into tokens, for rules that need more than a line of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley::levels {

struct Token {
  std::string text;  // a word, a number, "::", one other character, or "\"\"" for any literal in quotes
  size_t line = 0;

  bool IsWord() const;
};

// Omits comments, and preprocessor lines except definitions: "#define", the name, and "=" with the value.
std::vector<Token> TokensOf(std::string_view source);

}  // namespace parley::levels
