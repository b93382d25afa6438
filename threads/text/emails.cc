#include "threads/text/tokens.h"

namespace parley::threads::text {
namespace {

constexpr size_t kLabelsMax = 5;  // labels of a domain, and parts of the name before the '@'

bool IsProvider(std::string_view word) {
  return IsOneOf(
      word, {"gmail", "googlemail", "yahoo", "ymail", "outlook", "hotmail", "icloud", "protonmail", "proton",
             "aol", "gmx", "live", "msn", "mail", "fastmail", "zoho", "yandex", "tutanota"});
}
bool IsOnlyMail(std::string_view word) {
  return IsOneOf(word, {"gmail", "googlemail", "ymail", "hotmail", "protonmail", "fastmail", "tutanota"});
}
bool IsDotWord(std::string_view word) {
  return IsOneOf(word, {"dot", "punkt", "punto", "point", "d0t"});
}
bool IsLetters(std::string_view word) {
  return word.size() >= 2 && word.size() <= 10 &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

// The separators between two tokens apart from blanks and brackets; 0: no other sign, '?': several signs.
struct Between {
  char sign = 0;
  bool blank = false, bracket = false;
};
Between Signs(const std::vector<Unit>& units, const std::vector<Token>& tokens, size_t at) {
  Between out;
  if (GapAfter(tokens, at) > 5) return {'?', true, false};
  for (size_t i = tokens[at].end; i < tokens[at + 1].begin; ++i) {
    const char mark = units[i].mark;
    if (mark == ' ') {
      out.blank = true;
    } else if (std::string_view("()[]{}<>").find(mark) != std::string_view::npos) {
      out.bracket = true;
    } else {
      out.sign = out.sign == 0 ? mark : '?';
    }
  }
  return out;
}

// The labels of a domain, starting with one token.
struct Domain {
  size_t last = 0;  // the last token
  size_t labels = 1;
  bool spoken = false;  // a dot is written as a word
  bool apart = false;   // a dot has blanks around it
};
Domain DomainAt(const std::vector<Unit>& units, const std::vector<Token>& tokens, size_t first) {
  Domain out;
  out.last = first;
  while (out.labels < kLabelsMax && out.last + 1 < tokens.size()) {
    const Between between = Signs(units, tokens, out.last);
    if (between.sign == '.' && (!between.blank || IsTopLevel(tokens[out.last + 1].text()))) {
      out.apart |= between.blank;
      ++out.last;
    } else if (between.sign == 0 && out.last + 2 < tokens.size() && IsDotWord(tokens[out.last + 1].text()) &&
               Signs(units, tokens, out.last + 1).sign == 0) {
      out.spoken = true;
      out.last += 2;
    } else if (between.sign == '-' && !between.blank) {
      ++out.last;
      continue;
    } else {
      break;
    }
    ++out.labels;
  }
  return out;
}

// Returns the first token of the name before the sign.
size_t NameBegin(const std::vector<Unit>& units, const std::vector<Token>& tokens, size_t last) {
  size_t first = last;
  for (size_t parts = 0; parts < kLabelsMax && first > 0; ++parts) {
    const Between between = Signs(units, tokens, first - 1);
    const bool joined =
        !between.blank && !between.bracket &&
        (between.sign == '.' || between.sign == '_' || between.sign == '-' || between.sign == '+');
    if (joined) {
      --first;
    } else if (between.sign == 0 && first > 1 && IsDotWord(tokens[first - 1].text())) {
      first -= 2;
      break;
    } else {
      break;
    }
  }
  return first;
}

bool IsAddress(const std::vector<Token>& tokens, size_t first, const Domain& domain, bool apart) {
  const std::string_view top = tokens[domain.last].text();
  if (domain.labels > 1 && !apart && IsLetters(top)) return true;
  if (domain.labels > 1 && IsTopLevel(top)) return true;
  return IsProvider(tokens[first].text()) &&
         (domain.labels > 1 || IsOnlyMail(tokens[first].text()) || !apart);
}

// Accepts "at" as a word: "jane at gmail dot com". Domains also occur in plain sentences: "look at
// example.com".
bool IsSpokenAddress(const std::vector<Token>& tokens, size_t first, const Domain& domain, bool bracket) {
  const std::string_view label = tokens[first].text(), top = tokens[domain.last].text();
  if (IsOnlyMail(label)) return true;
  if (domain.labels > 1 && IsProvider(label)) return IsTopLevel(top);
  if (bracket) return domain.labels > 1 && IsLetters(top);
  return domain.spoken && IsTopLevel(top);
}

// Whether the token before an '@' ends the user of a link, as in "https://user:word@host".
bool IsUserOfLink(const std::vector<Unit>& units, const std::vector<Token>& tokens, size_t last) {
  size_t first = last;
  for (size_t parts = 0; parts < kLabelsMax && first > 0; ++parts) {
    const char mark = MarkAfter(units, tokens, first - 1);
    if (mark != ':' && mark != '.' && mark != '-' && mark != '_') break;
    --first;
  }
  const size_t begin = tokens[first].begin;
  return begin > 1 && units[begin - 1].mark == '/' && units[begin - 2].mark == '/';
}

}  // namespace

void FindEmails(const std::vector<Unit>& units, const std::vector<Token>& tokens, Spans* out, size_t* steps) {
  size_t from = 0;  // the first token after the last address
  for (size_t at = 0; at + 1 < tokens.size(); ++at) {
    *steps += 1;
    const Between between = Signs(units, tokens, at);
    const bool spoken = between.sign == 0 && at + 2 < tokens.size() &&
                        IsOneOf(tokens[at + 1].text(), {"at", "arroba", "aet"}) &&
                        Signs(units, tokens, at + 1).sign == 0;
    if (between.sign != '@' && !spoken) continue;
    const size_t first = spoken ? at + 2 : at + 1;
    const Domain domain = DomainAt(units, tokens, first);
    *steps += kLabelsMax;
    const bool bracket = between.bracket && (!spoken || Signs(units, tokens, at + 1).bracket);
    const bool is = spoken ? IsSpokenAddress(tokens, first, domain, bracket)
                           : IsAddress(tokens, first, domain, between.blank);
    if (!is || at < from) continue;
    out->push_back({tokens[std::max(from, NameBegin(units, tokens, at))].begin, tokens[domain.last].end});
    from = domain.last + 1;
    at = domain.last;
  }
}

void FindLinks(const std::vector<Unit>& units, const std::vector<Token>& tokens, std::vector<Link>* out,
               size_t* steps) {
  for (size_t at = 0; at + 1 < tokens.size(); ++at) {
    *steps += 1;
    size_t last = at;
    while (last - at < kLabelsMax &&
           (MarkAfter(units, tokens, last) == '.' || (MarkAfter(units, tokens, last) == '-')))
      ++last;
    if (last == at) continue;
    const size_t begin = tokens[at].begin;
    const bool path = begin > 1 && units[begin - 1].mark == '/' && units[begin - 2].mark != '/';
    const bool mail =
        at > 0 && MarkAfter(units, tokens, at - 1) == '@' && !IsUserOfLink(units, tokens, at - 1);
    const bool scheme = at > 0 && IsOneOf(tokens[at - 1].text(), {"http", "https"});
    // Ends the link at the last known top-level domain.
    size_t end = last;
    while (end > at && !(IsTopLevel(tokens[end].text()) && units[tokens[end].begin - 1].mark == '.')) --end;
    if (end == at && !scheme) continue;
    if (end == at) end = last;
    if (!mail && !path && tokens[at].digits == 0) {
      Link link{{tokens[at].begin, tokens[end].end}, {}};
      for (size_t i = at; i <= end; ++i) {
        if (i > at) link.host += units[tokens[i].begin - 1].mark;
        link.host += tokens[i].text();
      }
      out->push_back(std::move(link));
    }
    at = end;
  }
}

}  // namespace parley::threads::text
