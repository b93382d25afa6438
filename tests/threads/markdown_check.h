// What a reader's Markdown parser would make of a text, judged without any of the sanitizer's code: the
// parser's own reports with and without HTML blocks. Shared by the sanitizer's tests and its fuzzer.
#pragma once

#include <md4c.h>

#include <cctype>
#include <cstdlib>
#include <string>
#include <string_view>

namespace parley::threads {

struct MarkdownCheck {
  std::string_view source;
  std::string complaint;  // the first thing that should not be there
  std::string open_link;  // a bad target that is excused if the parser shows it as the text of `<…>`

  void Complain(const char* what, std::string_view detail) {
    if (complaint.empty()) complaint = std::string(what) + ": " + std::string(detail);
  }
};

inline std::string DecodedTarget(const MD_ATTRIBUTE& target) {
  std::string out;
  for (int i = 0; target.size > 0 && target.substr_offsets[i] < target.size; i++) {
    const std::string part(target.text + target.substr_offsets[i],
                           target.substr_offsets[i + 1] - target.substr_offsets[i]);
    const bool number = target.substr_types[i] == MD_TEXT_ENTITY && part[1] == '#';
    if (number) {
      const bool hex = std::tolower(part[2]) == 'x';
      out.push_back(
          static_cast<char>(std::strtoul(part.c_str() + (hex ? 3 : 2), nullptr, hex ? 16 : 10) & 0x7F));
    } else {
      out += part == "&colon;" ? ":" : part == "&Tab;" ? "\t" : part == "&NewLine;" ? "\n" : part;
    }
  }
  std::string seen;
  for (const char c : out) {
    if (c == '\t' || c == '\n' || c == '\r' || (seen.empty() && static_cast<unsigned char>(c) <= ' '))
      continue;
    seen.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  }
  return seen;
}

// md4c 0.4.8 takes any line that begins with these letters for an HTML block, CommonMark only whole names
// (`<pre>`, not
// `<press@example.com>`), so that parser cannot be asked about HTML blocks in such a text.
inline bool HasOldParsersBlock(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string_view name : {"<pre", "<style", "<script"}) {
    for (size_t at = lower.find(name); at != std::string::npos; at = lower.find(name, at + 1)) {
      const size_t end = at + name.size();
      if (end < lower.size() && std::string_view(" \t\r\n>").find(lower[end]) == std::string_view::npos)
        return true;
    }
  }
  return false;
}

inline void CheckDialect(std::string_view text, unsigned flags, MarkdownCheck* check) {
  // The parser reads behind the end of the text when it looks for the end of an HTML block.
  std::string padded(text);
  padded.append(16, '\0');
  check->source = std::string_view(padded).substr(0, text.size());
  MD_PARSER parser = {};
  parser.flags = flags;
  parser.enter_block = [](MD_BLOCKTYPE, void*, void*) { return 0; };
  parser.leave_block = [](MD_BLOCKTYPE, void*, void*) { return 0; };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
    if (type != MD_SPAN_A && type != MD_SPAN_IMG) return 0;
    auto* to = static_cast<MarkdownCheck*>(self);
    const MD_ATTRIBUTE& target = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;  // images: the same layout
    const std::string seen = DecodedTarget(target);
    const bool good = target.size == 0 || seen.starts_with("http:") || seen.starts_with("https:") ||
                      seen.starts_with("mailto:");
    if (good) return 0;
    // `<10:30>`: an autolink for this parser, for CommonMark and browsers a scheme begins with a letter.
    const bool quirk = type == MD_SPAN_A && !std::isalpha(static_cast<unsigned char>(seen[0])) &&
                       seen.find_first_of("<[`") == std::string::npos;
    if (quirk) {
      to->open_link.assign(target.text, target.size);
    } else {
      to->Complain("target", seen);
    }
    return 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
    auto* to = static_cast<MarkdownCheck*>(self);
    if (type == MD_SPAN_A && !to->open_link.empty()) to->Complain("target", to->open_link);
    return 0;
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* bytes, MD_SIZE size, void* self) {
    auto* to = static_cast<MarkdownCheck*>(self);
    const std::string_view piece(bytes, size);
    if (!to->open_link.empty() && to->open_link.starts_with(piece) && bytes > to->source.data() &&
        bytes[-1] == '<') {
      to->open_link.clear();
    }
    if (type == MD_TEXT_HTML) to->Complain("html", piece);
    return 0;
  };
  if (md_parse(padded.data(), static_cast<MD_SIZE>(text.size()), &parser, check) != 0)
    check->Complain("parse", "");
}

// Empty when no dialect finds raw HTML or a target that is not http, https or mailto.
inline std::string ComplaintAbout(std::string_view text) {
  MarkdownCheck check;
  CheckDialect(text, MD_FLAG_NOHTMLBLOCKS, &check);
  if (!HasOldParsersBlock(text)) CheckDialect(text, MD_DIALECT_COMMONMARK, &check);
  return check.complaint;
}

inline bool IsSubsequence(std::string_view part, std::string_view whole) {
  size_t at = 0;
  for (const char c : part) {
    at = whole.find(c, at);
    if (at == std::string_view::npos) return false;
    at++;
  }
  return true;
}

}  // namespace parley::threads
