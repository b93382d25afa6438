// Finds contact data by its form: telephone numbers, e-mail addresses, street addresses and links, also
// written out, spaced or in words. Linear in the text: the search around a place is bounded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/pattern_set.h"
#include "threads/text/fold.h"

namespace parley::threads::text {

// A run of letters and digits.
struct Token {
  static constexpr size_t kWordMax = 20;
  size_t begin = 0, end = 0;     // units
  char word[kWordMax + 1] = {};  // in ASCII if possible; longer words are cut
  uint8_t size = 0;
  uint8_t digits = 0;    // the number of digits that it may be read as; 0: it is no number
  bool numeral = false;  // one digit in words
  std::string_view text() const { return {word, size}; }
};
void Tokenize(const std::vector<Unit>& units, std::vector<Token>* out);

struct Span {
  size_t begin = 0, end = 0;  // units
};
using Spans = std::vector<Span>;
void FindPhones(const std::vector<Unit>& units, const std::vector<Token>& tokens, Spans* out, size_t* steps);
void FindEmails(const std::vector<Unit>& units, const std::vector<Token>& tokens, Spans* out, size_t* steps);
void FindStreets(const std::vector<Unit>& units, const std::vector<Token>& tokens, Spans* out, size_t* steps);

struct Link {
  Span span;
  std::string host;  // "www.example.com"
};
void FindLinks(const std::vector<Unit>& units, const std::vector<Token>& tokens, std::vector<Link>* out,
               size_t* steps);

}  // namespace parley::threads::text
