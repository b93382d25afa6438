#include "threads/text/tokens.h"

#include <array>

namespace parley::threads::text {
namespace {

constexpr std::string_view kNumerals[] = {"zero", "one",   "two",   "three", "four", "five",
                                          "six",  "seven", "eight", "nine",  "oh"};

char AsciiOf(const Unit& unit) {
  for (uint8_t i = 0; i < unit.count; ++i) {
    if (unit.readings[i] < 0x80) return static_cast<char>(unit.readings[i]);
  }
  return '?';
}

bool IsDigit(const Unit& unit) {
  return unit.readings[0] >= U'0' && unit.readings[0] <= U'9';
}

// The letters o, l and i may be digits beside digits.
bool MayBeDigit(const Unit& unit) {
  return IsDigit(unit) || unit.reads(U'o') || unit.reads(U'l') || unit.reads(U'i');
}

void CountDigits(const std::vector<Unit>& units, Token* token) {
  token->numeral =
      std::find(std::begin(kNumerals), std::end(kNumerals), token->text()) != std::end(kNumerals);
  if (token->numeral) {
    token->digits = 1;
    return;
  }
  size_t digits = 0;
  for (size_t i = token->begin; i < token->end; ++i) {
    if (!MayBeDigit(units[i])) return;
    digits += IsDigit(units[i]) ? 1 : 0;
  }
  const size_t size = token->end - token->begin;
  if (digits > 0 && digits * 2 >= size) token->digits = static_cast<uint8_t>(std::min<size_t>(size, 100));
}

}  // namespace

void Tokenize(const std::vector<Unit>& units, std::vector<Token>* out) {
  out->clear();
  for (size_t at = 0; at < units.size();) {
    if (!units[at].is_word()) {
      ++at;
      continue;
    }
    Token token;
    token.begin = at;
    while (at < units.size() && units[at].is_word()) {
      if (token.size < Token::kWordMax) token.word[token.size++] = AsciiOf(units[at]);
      ++at;
    }
    token.end = at;
    CountDigits(units, &token);
    out->push_back(token);
  }
}

bool IsTopLevel(std::string_view word) {
  return IsOneOf(word, {"com",    "net",    "org",   "io",   "co",   "me",  "uk",   "us",     "ca",
                        "au",     "de",     "fr",    "es",   "it",   "eu",  "nl",   "ch",     "at",
                        "be",     "se",     "no",    "dk",   "pl",   "pt",  "br",   "in",     "jp",
                        "cn",     "ru",     "app",   "dev",  "info", "biz", "edu",  "gov",    "tv",
                        "cc",     "xyz",    "site",  "link", "page", "art", "shop", "studio", "photography",
                        "agency", "online", "store", "gg",   "ly",   "ee",  "nz",   "ie",     "mx"});
}

}  // namespace parley::threads::text
