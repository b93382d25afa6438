#include "threads/text/tokens.h"

namespace parley::threads::text {
namespace {

constexpr size_t kGroupsMax = 6;   // in one number
constexpr size_t kTokensMax = 40;  // consecutive tokens of digits examined together
constexpr size_t kCueTokens = 4, kLabelTokens = 3;

// Adjacent digits, or single digits one after the other.
struct Group {
  size_t first = 0, last = 0;  // tokens
  size_t digits = 0;
  char lead = 0, second = 0;
  bool spelled = false;  // single digits
  bool series = true;    // each digit equals the one before or is one more
};

char DigitOf(const std::vector<Unit>& units, const Token& token, size_t i) {
  constexpr std::string_view kFirst[] = {"zero", "one", "two",   "three", "four",
                                         "five", "six", "seven", "eight", "nine"};
  if (token.numeral) {
    for (size_t n = 0; n < 10; ++n) {
      if (token.text() == kFirst[n]) return static_cast<char>('0' + n);
    }
    return '0';
  }
  const Unit& unit = units[token.begin + i];
  if (unit.readings[0] >= U'0' && unit.readings[0] <= U'9') return static_cast<char>(unit.readings[0]);
  return unit.reads(U'o') ? '0' : '1';
}

bool MayFollow(const std::vector<Unit>& units, const std::vector<Token>& tokens, size_t at) {
  if (at + 1 >= tokens.size() || tokens[at + 1].digits == 0 || GapAfter(tokens, at) > 4) return false;
  for (size_t i = tokens[at].end; i < tokens[at + 1].begin; ++i) {
    if (std::string_view(" -.()/_*~\1").find(units[i].mark) == std::string_view::npos) return false;
  }
  return true;
}

std::vector<Group> GroupsOf(const std::vector<Unit>& units, const std::vector<Token>& tokens, size_t first,
                            size_t last) {
  std::vector<Group> out;
  for (size_t at = first; at <= last; ++at) {
    const Token& token = tokens[at];
    const char lead = DigitOf(units, token, 0);
    if (token.digits == 1 && !out.empty() && out.back().spelled) {
      Group& group = out.back();
      const char before = DigitOf(units, tokens[at - 1], 0);
      group.series &= lead == before || lead == before + 1;
      if (group.digits == 1) group.second = lead;
      ++group.digits;
      group.last = at;
      continue;
    }
    const char second = token.digits > 1 ? DigitOf(units, token, 1) : 0;
    out.push_back({at, at, token.digits, lead, second, token.digits == 1, true});
  }
  return out;
}

bool HasWordBefore(const std::vector<Unit>& units, const std::vector<Token>& tokens, size_t at, size_t most,
                   const Words& words) {
  for (size_t i = at; i-- > 0 && at - i <= most;) {
    for (size_t unit = tokens[i].end; unit < tokens[i + 1].begin; ++unit) {
      if (units[unit].mark == '\n') return false;
    }
    if (IsOneOf(tokens[i].text(), words)) return true;
  }
  return false;
}

struct Around {
  bool cue = false;    // "call" or "phone" precedes it
  bool label = false;  // a label such as "order" or "invoice" precedes it
  bool plus = false, bracket = false, money = false;
};

Around LookAround(const std::vector<Unit>& units, const std::vector<Token>& tokens, size_t at) {
  Around out;
  out.cue =
      HasWordBefore(units, tokens, at, kCueTokens,
                    {"call", "text", "phone", "cell", "mobile", "tel", "telephone", "dial", "ring", "sms",
                     "contact", "digits", "number", "whatsapp", "reach", "ph", "handy", "txt", "fone"});
  out.label = HasWordBefore(
      units, tokens, at, kLabelTokens,
      {"order",  "invoice",     "ref",          "reference", "booking", "ticket", "tracking", "id",   "sku",
       "serial", "isbn",        "confirmation", "conf",      "case",    "po",     "item",     "part", "model",
       "batch",  "transaction", "flight",       "code",      "receipt", "lot",    "version",  "build"});
  for (size_t i = tokens[at].begin; i-- > 0 && tokens[at].begin - i <= 2;) {
    const char mark = units[i].mark;
    if (mark == '+') out.plus = true;
    if (mark == '(') out.bracket = true;
    if (mark == '#') out.label = true;
    if (mark == '$' || units[i].mark == Unit::kOther) out.money = true;
    if (mark != ' ' && mark != '(') break;
  }
  return out;
}

bool Spells(const std::vector<Group>& groups, size_t from, std::initializer_list<size_t> sizes) {
  size_t at = from;
  for (const size_t size : sizes) {
    if (at >= groups.size() || groups[at++].digits != size) return false;
  }
  return true;
}

bool IsDate(const std::vector<Group>& groups, size_t from, size_t count) {
  if (count != 3) return false;
  return Spells(groups, from, {4, 2, 2}) || Spells(groups, from, {2, 2, 4}) ||
         Spells(groups, from, {1, 2, 4}) || Spells(groups, from, {2, 1, 4}) ||
         Spells(groups, from, {1, 1, 4});
}

bool IsOneGroup(const Group& group, const Around& around) {
  const size_t n = group.digits;
  if (group.spelled) return n >= 7 && n <= 15 && !group.series;
  if (n == 10 && group.lead >= '2') return true;
  if (n == 11 && group.lead == '1' && group.second >= '2') return true;
  if ((n == 10 || n == 11) && group.lead == '0' && group.second != '0') return true;
  return around.cue && n >= 7 && n <= 15;
}

bool IsLocal(const std::vector<Group>& groups, size_t from, size_t count, size_t total) {
  const Group& first = groups[from];
  if (first.lead != '0') return false;
  if (first.second == '0') return total >= 10 && total <= 15;
  if (first.digits >= 3 && first.digits <= 5) return count <= 4 && total >= 9 && total <= 12;
  return count == 5 && Spells(groups, from, {2, 2, 2, 2, 2});
}

// Whether these groups are a telephone number.
bool IsPhone(const std::vector<Group>& groups, size_t from, size_t count, const Around& around) {
  size_t total = 0;
  for (size_t i = from; i < from + count; ++i) total += groups[i].digits;
  if (total < 7 || total > 15 || around.money) return false;
  if (around.plus && total >= 8) return true;
  if (around.label) return false;
  const Group& first = groups[from];
  if (count == 1) return IsOneGroup(first, around);
  if (IsDate(groups, from, count)) return false;
  if (count == 3 && Spells(groups, from, {3, 3, 4}) && (first.lead >= '2' || around.bracket)) return true;
  if (count == 4 && Spells(groups, from, {1, 3, 3, 4}) && first.lead == '1') return true;
  if (IsLocal(groups, from, count, total)) return true;
  size_t spelled = 0;
  for (size_t i = from; i < from + count; ++i) spelled += groups[i].spelled ? groups[i].digits : 0;
  if (spelled >= 4 && total >= 10) return true;
  return (around.cue || around.bracket) && total <= 12;
}

size_t BeginOf(const std::vector<Unit>& units, const Token& token) {
  size_t begin = token.begin;
  while (begin > 0 && token.begin - begin < 2 &&
         (units[begin - 1].mark == '+' || units[begin - 1].mark == '('))
    --begin;
  return begin;
}

void FindInRow(const std::vector<Unit>& units, const std::vector<Token>& tokens,
               const std::vector<Group>& groups, Spans* out, size_t* steps) {
  for (size_t from = 0; from < groups.size();) {
    const Around around = LookAround(units, tokens, groups[from].first);
    size_t count = std::min(kGroupsMax, groups.size() - from);
    while (count > 0 && !IsPhone(groups, from, count, around)) --count;
    *steps += kGroupsMax;
    if (count == 0) {
      ++from;
      continue;
    }
    out->push_back({BeginOf(units, tokens[groups[from].first]), tokens[groups[from + count - 1].last].end});
    from += count;
  }
}

}  // namespace

void FindPhones(const std::vector<Unit>& units, const std::vector<Token>& tokens, Spans* out, size_t* steps) {
  for (size_t at = 0; at < tokens.size();) {
    if (tokens[at].digits == 0) {
      ++at;
      continue;
    }
    size_t last = at, digits = tokens[at].digits;
    while (last - at < kTokensMax && MayFollow(units, tokens, last)) digits += tokens[++last].digits;
    *steps += last - at + 1;
    if (digits >= 7) FindInRow(units, tokens, GroupsOf(units, tokens, at, last), out, steps);
    at = last + 1;
  }
}

}  // namespace parley::threads::text
