// Helpers for tokens, shared by the finders of contact data.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "threads/text/contacts.h"

namespace parley::threads::text {

using Words = std::initializer_list<std::string_view>;
inline bool IsOneOf(std::string_view word, const Words& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

inline size_t GapAfter(const std::vector<Token>& tokens, size_t at) {
  return tokens[at + 1].begin - tokens[at].end;
}
// The only separator between a token and the next; 0 if there are several or none.
inline char MarkAfter(const std::vector<Unit>& units, const std::vector<Token>& tokens, size_t at) {
  if (at + 1 >= tokens.size() || GapAfter(tokens, at) != 1) return 0;
  return units[tokens[at].end].mark;
}
bool IsTopLevel(std::string_view word);  // .com, .net …

}  // namespace parley::threads::text
