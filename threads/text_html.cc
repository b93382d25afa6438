#include "threads/text_html.h"

#include <algorithm>

namespace parley::threads {
namespace {

// Kind 1: raw up to the closing tag.
constexpr std::array<std::string_view, 4> kRawTextTags = {"pre", "script", "style", "textarea"};

// Kind 6: every name that any version lists.
constexpr std::array<std::string_view, 64> kBlockTags = {
    "address",  "article",  "aside",    "base",       "basefont", "blockquote", "body",     "caption",
    "center",   "col",      "colgroup", "dd",         "details",  "dialog",     "dir",      "div",
    "dl",       "dt",       "fieldset", "figcaption", "figure",   "footer",     "form",     "frame",
    "frameset", "h1",       "h2",       "h3",         "h4",       "h5",         "h6",       "head",
    "header",   "hr",       "html",     "iframe",     "legend",   "li",         "link",     "main",
    "menu",     "menuitem", "meta",     "nav",        "noframes", "ol",         "optgroup", "option",
    "p",        "param",    "search",   "section",    "source",   "summary",    "table",    "tbody",
    "td",       "tfoot",    "th",       "thead",      "title",    "tr",         "track",    "ul"};

constexpr size_t kNameMax = 10;  // longer names begin no block

bool IsAlpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool IsAlnum(char c) {
  return IsAlpha(c) || (c >= '0' && c <= '9');
}

// The name at text[at] in lower case; at most kNameMax + 1 characters of it.
std::string NameAt(std::string_view text, size_t at) {
  std::string name;
  for (size_t i = at; i < text.size() && IsAlnum(text[i]) && name.size() <= kNameMax; i++) {
    const bool upper = text[i] >= 'A' && text[i] <= 'Z';
    name.push_back(upper ? static_cast<char>(text[i] + 0x20) : text[i]);
  }
  return name;
}

bool EndsName(std::string_view rest) {
  return rest.empty() || std::string_view(" \t\v\f\r\n>").find(rest.front()) != std::string_view::npos;
}

}  // namespace

bool StartsHtmlBlock(std::string_view text, size_t at) {
  const std::string_view rest = text.substr(at + 1);
  if (rest.starts_with("!--") || rest.starts_with("?") || rest.starts_with("![CDATA[")) return true;
  if (rest.size() > 1 && rest[0] == '!' && IsAlpha(rest[1])) return true;
  const size_t name_at = rest.starts_with("/") ? 1 : 0;
  const std::string name = NameAt(rest, name_at);
  const std::string_view behind = rest.substr(name_at + name.size());
  if (std::binary_search(kBlockTags.begin(), kBlockTags.end(), name))
    return EndsName(behind) || behind.starts_with("/>");
  return name_at == 0 && std::binary_search(kRawTextTags.begin(), kRawTextTags.end(), name) &&
         EndsName(behind);
}

size_t SpecialTagFinder::Find(Closer closer, size_t from) {
  static constexpr std::array<std::string_view, kClosers> kText = {"-->", "?>", ">", "]]>"};
  size_t& next = next_[closer];
  if (next < from || next == 0) next = std::min(text_.find(kText[closer], from), text_.size());
  return next == text_.size() ? 0 : next + kText[closer].size();
}

size_t SpecialTagFinder::End(size_t at, size_t limit) {
  const std::string_view rest = text_.substr(at + 1);
  size_t end = 0;
  if (rest.starts_with("!-->")) {
    end = at + 5;
  } else if (rest.starts_with("!--->")) {
    end = at + 6;
  } else if (rest.starts_with("!--")) {
    end = Find(kComment, at + 4);
  } else if (rest.starts_with("?")) {
    end = Find(kInstruction, at + 2);
  } else if (rest.starts_with("![CDATA[")) {
    end = Find(kCdata, at + 9);
  } else if (rest.size() > 1 && rest[0] == '!' && IsAlpha(rest[1])) {
    end = Find(kDeclaration, at + 3);
  }
  return end <= limit ? end : 0;
}

std::string WithoutMarkupOpeners(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  size_t brackets = 0;  // how many ']' `out` ends with
  for (const char c : text) {
    if (c == '<') continue;
    if (c == '(' || c == ':') out.resize(out.size() - brackets);
    brackets = c == ']' ? brackets + 1 : 0;
    out.push_back(c);
  }
  return out;
}

}  // namespace parley::threads
