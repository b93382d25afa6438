#include "threads/text_links.h"

#include <algorithm>

#include "threads/text_entity.h"

namespace parley::threads {
namespace {

// CommonMark lets a parser bound the nesting of parentheses in a target; the parser in use stops here.
constexpr int kParenthesesMax = 32;
constexpr size_t kQuoteIndentMax = 4;  // three, and one that belongs to the '>' before
constexpr size_t kSchemeMax = sizeof("mailto") - 1;

bool IsNewline(char c) {
  return c == '\n' || c == '\r';
}
bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}
bool IsPunct(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

bool IsEscape(std::string_view text, size_t at) {
  return text[at] == '\\' && at + 1 < text.size() && IsPunct(text[at + 1]);
}

size_t SkipBlanks(std::string_view text, size_t at) {
  while (at < text.size() && IsBlank(text[at])) at++;
  return at;
}

// Skips blanks with at most one line break, and behind the break what block quotes repeat on each line. A '>'
// that far in that it would be code elsewhere is text of the paragraph.
size_t SkipSpace(std::string_view text, size_t at) {
  at = SkipBlanks(text, at);
  if (at >= text.size() || !IsNewline(text[at])) return at;
  at += text.substr(at, 2) == "\r\n" ? 2 : 1;
  while (true) {
    const size_t next = SkipBlanks(text, at);
    const std::string_view blanks = text.substr(at, next - at);
    at = next;
    if (at >= text.size() || text[at] != '>') return at;
    if (blanks.size() > kQuoteIndentMax || blanks.find('\t') != std::string_view::npos) return at;
    at++;
  }
}

std::optional<LinkTarget> ParseAngleTarget(std::string_view text, size_t at) {
  for (size_t i = at + 1; i < text.size() && !IsNewline(text[i]) && text[i] != '<'; i++) {
    if (text[i] == '\\') {
      i++;  // some parsers let it hide a line break too
    } else if (text[i] == '>') {
      return LinkTarget{at, i + 1, i + 1, text.substr(at + 1, i - at - 1)};
    }
  }
  return std::nullopt;
}

// CommonMark ends a target at control characters too, its reference parsers do not.
std::optional<LinkTarget> ParseTarget(std::string_view text, size_t at) {
  if (at < text.size() && text[at] == '<') return ParseAngleTarget(text, at);
  int depth = 0;
  size_t i = at;
  for (; i < text.size() && !IsBlank(text[i]) && !IsNewline(text[i]); i++) {
    if (IsEscape(text, i)) {
      i++;
    } else if (text[i] == '(') {
      if (++depth > kParenthesesMax) return std::nullopt;
    } else if (text[i] == ')' && --depth < 0) {
      break;
    }
  }
  if (depth > 0 || i == at) return std::nullopt;
  return LinkTarget{at, i, i, text.substr(at, i - at)};
}

bool EndsLine(std::string_view text, size_t at) {
  at = SkipBlanks(text, at);
  return at >= text.size() || IsNewline(text[at]);
}

// Whether the line break at text[at] ends a paragraph: nothing but what block quotes repeat stands on the
// next line.
bool EndsParagraph(std::string_view text, size_t at) {
  const size_t next = SkipSpace(text, at);
  return next >= text.size() || IsNewline(text[next]);
}

// The offset behind the title that follows text[at] after white space, or `at`.
size_t SkipTitle(std::string_view text, size_t at) {
  const size_t begin = SkipSpace(text, at);
  if (begin == at || begin >= text.size()) return at;
  const char open = text[begin];
  if (open != '"' && open != '\'' && open != '(') return at;
  const char close = open == '(' ? ')' : open;
  for (size_t i = begin + 1; i < text.size(); i++) {
    if (IsEscape(text, i)) {
      i++;
    } else if (text[i] == close) {
      return i + 1;
    } else if ((open == '(' && text[i] == '(') || (IsNewline(text[i]) && EndsParagraph(text, i))) {
      return at;
    }
  }
  return at;
}

}  // namespace

std::optional<InlineTail> ParseInlineTail(std::string_view text, size_t paren) {
  const size_t begin = SkipSpace(text, paren + 1);
  if (begin < text.size() && text[begin] == ')') {
    return InlineTail{LinkTarget{begin, begin, begin, {}}, begin + 1};
  }
  std::optional<LinkTarget> target = ParseTarget(text, begin);
  if (!target) return std::nullopt;
  target->title_end = SkipTitle(text, target->end);
  const size_t close = SkipSpace(text, target->title_end);
  if (close >= text.size() || text[close] != ')') return std::nullopt;
  return InlineTail{*target, close + 1};
}

std::optional<Definition> ParseDefinition(std::string_view text, size_t bracket) {
  size_t close = bracket + 1;
  while (close < text.size() && text[close] != ']') {
    if (text[close] == '[') return std::nullopt;
    close += IsEscape(text, close) ? 2 : 1;
  }
  if (close + 1 >= text.size() || text[close + 1] != ':') return std::nullopt;
  std::optional<LinkTarget> target = ParseTarget(text, SkipSpace(text, close + 2));
  if (!target) return std::nullopt;
  target->title_end = SkipTitle(text, target->end);
  if (!EndsLine(text, target->title_end))
    target->title_end = target->end;  // what looked like a title is text
  if (!EndsLine(text, target->title_end)) return std::nullopt;
  return Definition{close + 1, *target, std::min(text.find_first_of("\r\n", target->title_end), text.size())};
}

std::string Unescape(std::string_view contents) {
  std::string out;
  out.reserve(contents.size());
  for (size_t i = 0; i < contents.size(); i++) {
    if (IsEscape(contents, i)) i++;
    out.push_back(contents[i]);
  }
  return out;
}

void SchemeReader::Add(char32_t code_point) {
  empty_ = false;
  if (complete_ || seen_.size() > kSchemeMax) return;
  if (code_point == U'\t' || code_point == U'\n' || code_point == U'\r') return;
  if (seen_.empty() && code_point <= U' ') return;
  complete_ = code_point == U':';
  if (complete_) return;
  const bool upper = code_point >= U'A' && code_point <= U'Z';
  seen_.push_back(code_point < 0x80 ? static_cast<char>(upper ? code_point + 0x20 : code_point) : '?');
}

void SchemeReader::AddEntity(std::string_view entity) {
  const char32_t code_point = DecodeEntity(entity);
  Add(code_point == 0 ? U'\uFFFD' : code_point);
}

bool SchemeReader::Allowed() const {
  return empty_ || (complete_ && (seen_ == "http" || seen_ == "https" || seen_ == "mailto"));
}

bool TargetAllowed(std::string_view contents) {
  SchemeReader scheme;
  for (size_t i = 0; i < contents.size(); i++) {
    const size_t entity = contents[i] == '&' ? EntityLength(contents, i) : 0;
    if (entity > 0) {
      scheme.AddEntity(contents.substr(i, entity));
      i += entity - 1;
      continue;
    }
    if (IsEscape(contents, i)) i++;
    scheme.Add(static_cast<unsigned char>(contents[i]));
  }
  return scheme.Allowed();
}

}  // namespace parley::threads
