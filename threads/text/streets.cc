#include "threads/text/tokens.h"

namespace parley::threads::text {
namespace {

constexpr size_t kNamesMax = 3;  // words between the house number and "Street"

bool IsStreet(std::string_view word) {
  return IsOneOf(word, {"street", "avenue", "ave", "boulevard", "blvd", "road", "rd", "lane", "terrace",
                        "crescent", "strasse", "str", "highway", "parkway", "pkwy"});
}
// Words with other meanings, too.
bool IsMaybeStreet(std::string_view word) {
  return IsOneOf(word, {"st", "dr", "drive", "way", "place", "pl", "court", "ct", "square", "sq", "close",
                        "row", "hwy", "ln", "circle", "trail", "loop", "alley"});
}
bool IsNoName(std::string_view word) {
  return IsOneOf(
      word, {"minute", "minutes",   "min",    "mins",  "hour", "hours", "day",  "days", "mile",   "miles",
             "km",     "block",     "blocks", "m",     "of",   "the",   "a",    "an",   "to",     "from",
             "on",     "at",        "in",     "and",   "or",   "for",   "with", "down", "up",     "off",
             "near",   "different", "more",   "other", "min",  "pm",    "am",   "x",    "people", "shots",
             "photos", "cars",      "times",  "by",    "my",   "our",   "your", "this", "that",   "is"});
}

bool IsHouseNumber(const std::vector<Unit>& units, const Token& token) {
  const size_t size = token.end - token.begin;
  if (size == 0 || size > 6) return false;
  for (size_t i = token.begin; i < token.end; ++i) {
    const char32_t c = units[i].readings[0];
    const bool digit = c >= U'0' && c <= U'9';
    const bool letter = i + 1 == token.end && i > token.begin && c >= U'a' && c <= U'f';
    if (!digit && !letter) return false;
  }
  const bool money =
      token.begin > 0 && (units[token.begin - 1].mark == '$' || units[token.begin - 1].mark == Unit::kOther);
  return !money;
}

bool IsJoined(const std::vector<Unit>& units, const std::vector<Token>& tokens, size_t at) {
  for (size_t i = tokens[at].end; i < tokens[at + 1].begin; ++i) {
    if (std::string_view(" .,-").find(units[i].mark) == std::string_view::npos) return false;
  }
  return GapAfter(tokens, at) <= 2;
}

bool EndsThere(const std::vector<Unit>& units, const std::vector<Token>& tokens, size_t at) {
  if (at + 1 >= tokens.size()) return true;
  const char mark = units[tokens[at].end].mark;
  if (mark != ' ') return true;
  return IsOneOf(tokens[at + 1].text(),
                 {"apt", "apartment", "unit", "suite", "floor", "in", "near", "by", "at", "and", "right",
                  "next", "flat", "is", "ring", "tomorrow", "tonight"});
}

// Returns the end of an address such as "12 Main Street"; 0: no such address.
size_t NumberFirst(const std::vector<Unit>& units, const std::vector<Token>& tokens, size_t at) {
  if (!IsHouseNumber(units, tokens[at])) return 0;
  bool capitals = true;
  for (size_t i = at + 1; i < tokens.size() && i <= at + 1 + kNamesMax; ++i) {
    if (!IsJoined(units, tokens, i - 1)) return 0;
    const std::string_view word = tokens[i].text();
    const bool capital = units[tokens[i].begin].upper || tokens[i].digits > 0 || word.back() == 'h';
    const bool strong = IsStreet(word), weak = IsMaybeStreet(word);
    if (i > at + 1 && (strong || (weak && capitals && capital))) {
      const bool sure =
          (capitals && capital) || (EndsThere(units, tokens, i) && tokens[at].end - tokens[at].begin > 1);
      if (sure) return tokens[i].end;
    }
    if (IsNoName(word)) return 0;
    capitals &= capital;
  }
  return 0;
}

// Returns the end of an address such as "Hauptstraße 12" or "Rosenallee 3a", but not "rue de la Paix"; 0: no
// such address.
size_t NumberLast(const std::vector<Unit>& units, const std::vector<Token>& tokens, size_t at) {
  const std::string_view word = tokens[at].text();
  const bool street =
      (word.size() > 8 && word.ends_with("strasse")) || (word.size() > 6 && word.ends_with("str")) ||
      (word.size() > 7 && word.ends_with("allee")) || (word.size() > 7 && word.ends_with("gasse"));
  if (!street || at + 1 >= tokens.size() || !IsJoined(units, tokens, at)) return 0;
  return IsHouseNumber(units, tokens[at + 1]) ? tokens[at + 1].end : 0;
}

}  // namespace

void FindStreets(const std::vector<Unit>& units, const std::vector<Token>& tokens, Spans* out,
                 size_t* steps) {
  for (size_t at = 0; at < tokens.size(); ++at) {
    *steps += 1 + kNamesMax;
    size_t end = NumberFirst(units, tokens, at);
    if (end == 0) end = NumberLast(units, tokens, at);
    if (end == 0) continue;
    out->push_back({tokens[at].begin, end});
    while (at + 1 < tokens.size() && tokens[at + 1].begin < end) ++at;
  }
}

}  // namespace parley::threads::text
