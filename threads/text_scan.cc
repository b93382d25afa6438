#include "threads/text_scan.h"

#include <md4c.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "threads/text_blocks.h"
#include "threads/text_html.h"
#include "threads/text_links.h"

namespace parley::threads {
namespace {

// What is known of a byte. kNone is markup the parser does not report: container markers, brackets,
// definitions. kLinkTail is `](target "title")`.
enum class Seen : uint8_t { kNone, kText, kCodeSpan, kCodeBlock, kHtml, kLinkTail };

// The parser reports each use of a reference definition with the whole target. A text whose targets add up to
// more than this is built to cost its length squared.
constexpr size_t kTargetBytesPerByteMax = 32;
constexpr size_t kTargetBytesMin = 65536;

// How many ']' to look at for the one that closes a link. It is the first one but for links without text
// behind markup that the parser reports without a position.
constexpr int kClosersMax = 8;

bool IsNewline(char c) {
  return c == '\n' || c == '\r';
}

bool IsAlpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Characters that are text wherever they stand.
bool IsInert(char c) {
  return IsAlpha(c) || (c >= '0' && c <= '9') || (c != 0 && std::strchr(":.,+-/=%#?@", c) != nullptr);
}

bool Allowed(const MD_ATTRIBUTE& target) {
  SchemeReader scheme;
  for (int i = 0; target.size > 0 && target.substr_offsets[i] < target.size; i++) {
    const std::string_view part(target.text + target.substr_offsets[i],
                                target.substr_offsets[i + 1] - target.substr_offsets[i]);
    if (target.substr_types[i] == MD_TEXT_ENTITY) {
      scheme.AddEntity(part);
    } else {
      for (const char c : part) scheme.Add(static_cast<unsigned char>(c));
    }
  }
  return scheme.Allowed();
}

// Follows the parser through the text. Its pointers into the source give positions; `at_` is behind the last
// of them, so what the parser reports next without a position (the end of a link) stands at or behind it.
class Scanner {
 public:
  explicit Scanner(const std::string& text)
      : text_(text), blocks_(FindBlocks(text)), seen_(text.size(), Seen::kNone) {}

  Scan Run();

 private:
  void EndLeaf();
  void EnterSpan(MD_SPANTYPE type);
  int LeaveSpan(MD_SPANTYPE type, void* detail);  // not 0 stops the parser
  void Text(MD_TEXTTYPE type, const char* bytes, size_t size);

  void LeaveLink(const MD_ATTRIBUTE& target);
  void CutAutolink(size_t begin);
  void AddHtml(size_t begin, size_t end);
  void ScanLineStarts();
  void ScanDefinition(size_t bracket);
  void MarkTitle(const LinkTarget& target);
  void ScanSpecialTags();
  void ScanLooseTargets();

  [[nodiscard]] Seen Kind(MD_TEXTTYPE type) const;
  [[nodiscard]] bool InSource(const char* bytes) const;
  [[nodiscard]] bool IsCode(size_t at) const;
  [[nodiscard]] bool IsFenceForParserOnly(size_t at) const;
  [[nodiscard]] bool AgreesAboutCodeBlocks() const;
  [[nodiscard]] bool IsEscaped(size_t at) const;
  void Remove(size_t begin, size_t end) { scan_.cuts.push_back({begin, end}); }

  const std::string& text_;
  const Blocks blocks_;
  std::vector<Seen> seen_;
  Scan scan_;
  std::vector<Range> leaves_;  // the source ranges of blocks with inline content
  size_t at_ = 0;
  size_t target_bytes_ = 0;
  size_t leaf_begin_ = std::string::npos;
  bool in_code_block_ = false;
  bool html_goes_on_ = false;  // the parser is inside one tag, at a line break
  bool link_begins_ = false;   // between the start of a link and its first text
  bool in_autolink_ = false;
  bool elsewhere_ = false;  // a link whose target has to go and does not stand behind its text
};

bool Scanner::InSource(const char* bytes) const {
  const auto at = reinterpret_cast<uintptr_t>(bytes);
  const auto begin = reinterpret_cast<uintptr_t>(text_.data());
  return at >= begin && at < begin + text_.size();
}

bool Scanner::IsCode(size_t at) const {
  const auto after = std::upper_bound(blocks_.code.begin(), blocks_.code.end(), at,
                                      [](size_t a, const Range& r) { return a < r.end; });
  return after != blocks_.code.end() && after->begin <= at;
}

// The backslash of an escape is markup; one that is shown is text.
bool Scanner::IsEscaped(size_t at) const {
  return at > 0 && text_[at - 1] == '\\' && seen_[at - 1] == Seen::kNone;
}

// Text stands directly in the items of a tight list, so the start of a block ends a leaf as well.
void Scanner::EndLeaf() {
  if (leaf_begin_ < at_ && !in_code_block_) leaves_.push_back({leaf_begin_, at_});
  leaf_begin_ = std::string::npos;
}

void Scanner::EnterSpan(MD_SPANTYPE type) {
  if (type == MD_SPAN_A) link_begins_ = true;
  if (type == MD_SPAN_IMG) link_begins_ = false;
}

int Scanner::LeaveSpan(MD_SPANTYPE type, void* detail) {
  if (type == MD_SPAN_IMG) LeaveLink(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src);
  if (type == MD_SPAN_A && !in_autolink_) LeaveLink(static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
  if (type == MD_SPAN_A) in_autolink_ = link_begins_ = false;
  return target_bytes_ > kTargetBytesPerByteMax * text_.size() + kTargetBytesMin ? -1 : 0;
}

void Scanner::Text(MD_TEXTTYPE type, const char* bytes, size_t size) {
  if (!InSource(bytes)) {  // line breaks and NUL come as constants
    html_goes_on_ = type == MD_TEXT_HTML;
    return;
  }
  const size_t begin = static_cast<size_t>(bytes - text_.data());
  leaf_begin_ = std::min(leaf_begin_, begin);
  if (link_begins_ && begin > 0 && text_[begin - 1] == '<') CutAutolink(begin - 1);
  if (link_begins_ && begin > 1 && IsNewline(text_[begin - 1]) && text_[begin - 2] == '<')
    CutAutolink(begin - 2);
  link_begins_ = false;
  if (type == MD_TEXT_HTML) AddHtml(begin, begin + size);
  html_goes_on_ = false;
  std::fill_n(seen_.begin() + static_cast<ptrdiff_t>(begin), size, Kind(type));
  at_ = begin + size;
}

Seen Scanner::Kind(MD_TEXTTYPE type) const {
  if (type == MD_TEXT_HTML) return Seen::kHtml;
  if (type != MD_TEXT_CODE) return Seen::kText;
  return in_code_block_ ? Seen::kCodeBlock : Seen::kCodeSpan;
}

void Scanner::AddHtml(size_t begin, size_t end) {
  if (html_goes_on_ && !scan_.cuts.empty()) {
    scan_.cuts.back().end = end;  // with the line break and what block quotes put behind it
  } else {
    Remove(begin, end);
  }
}

// The parser lets an autolink begin with any ASCII character, CommonMark only with a letter. `<10:30>` is
// text that can stay; where what stands inside could mean something to another parser
// (`<[x:y](javascript:z)>`), the '<' goes and the next reading sees the inside as everybody does.
void Scanner::CutAutolink(size_t begin) {
  in_autolink_ = true;
  const size_t end = std::min(text_.find('>', begin), text_.size() - 1);
  const std::string_view target(text_.data() + begin + 1, end - begin - 1);
  const bool mail_address = target.find(':') == std::string_view::npos;
  if (mail_address && !target.empty()) return;
  if (!target.empty() && IsAlpha(target.front())) {
    if (!TargetAllowed(target)) Remove(begin, end + 1);
  } else if (target.empty() || !std::all_of(target.begin(), target.end(), IsInert)) {
    Remove(begin, begin + 1);
  }
}

void Scanner::LeaveLink(const MD_ATTRIBUTE& target) {
  target_bytes_ += target.size;
  const size_t first = text_.find(']', at_);
  size_t close = first;
  for (int i = 0; i < kClosersMax && close != std::string::npos; i++, close = text_.find(']', close + 1)) {
    if (close + 1 >= text_.size() || text_[close + 1] != '(') continue;
    const auto tail = ParseInlineTail(text_, close + 1);
    if (!tail || Unescape(tail->target.contents) != std::string_view(target.text, target.size)) continue;
    if (!TargetAllowed(tail->target.contents)) Remove(tail->target.begin, tail->target.title_end);
    std::fill_n(seen_.begin() + static_cast<ptrdiff_t>(close), tail->end - close, Seen::kLinkTail);
    at_ = tail->end;
    return;
  }
  elsewhere_ = elsewhere_ || !Allowed(target);
  if (first == std::string::npos) return;
  at_ = first + 1;
  if (at_ < text_.size() && text_[at_] == '[') at_ = std::min(text_.find(']', at_), text_.size() - 1) + 1;
}

// What a line begins with behind container markers: definitions and HTML blocks stand there.
void Scanner::ScanLineStarts() {
  static constexpr std::string_view kContainerMarkers = " \t\v\f>+*-.)0123456789";
  for (size_t i = 0; i < text_.size();) {
    while (i < text_.size() && seen_[i] == Seen::kNone &&
           kContainerMarkers.find(text_[i]) != std::string_view::npos)
      i++;
    if (i < text_.size() && text_[i] == '<' && seen_[i] != Seen::kCodeBlock && seen_[i] != Seen::kHtml &&
        StartsHtmlBlock(text_, i)) {
      Remove(i, i + 1);
    } else if (i < text_.size() && IsFenceForParserOnly(i)) {
      scan_.lost = true;
    } else if (i < text_.size() && text_[i] == '[' && (seen_[i] == Seen::kNone || seen_[i] == Seen::kText)) {
      ScanDefinition(i);
    }
    while (i < text_.size() && !IsNewline(text_[i])) i++;
    while (i < text_.size() && IsNewline(text_[i])) i++;
  }
}

// What the parser shows as text is text, but for lines with tabs and other control characters: it wants
// spaces behind a definition, and no control character in a target.
void Scanner::ScanDefinition(size_t bracket) {
  const auto definition = ParseDefinition(text_, bracket);
  if (!definition) return;
  const bool known = seen_[definition->colon] == Seen::kNone;
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' && !IsNewline(c); };
  const std::string_view line(text_.data() + bracket, definition->end - bracket);
  if (!known && std::none_of(line.begin(), line.end(), is_control)) return;
  if (!TargetAllowed(definition->target.contents)) {
    Remove(definition->colon, definition->colon + 1);
    Remove(definition->target.begin, definition->target.end);
  }
  if (known) {
    MarkTitle(definition->target);
  } else if (definition->target.title_end < definition->end) {
    Remove(definition->target.title_end, definition->end);  // blanks, one of them a tab
  }
}

// A title is no text, unless the parser found that it is.
void Scanner::MarkTitle(const LinkTarget& target) {
  const auto begin = seen_.begin() + static_cast<ptrdiff_t>(target.end);
  const auto end = seen_.begin() + static_cast<ptrdiff_t>(target.title_end);
  if (std::all_of(begin, end, [](Seen seen) { return seen == Seen::kNone; }))
    std::fill(begin, end, Seen::kLinkTail);
}

void Scanner::ScanSpecialTags() {
  SpecialTagFinder finder(text_);
  for (const Range& leaf : leaves_) {
    for (size_t i = leaf.begin; i < leaf.end; i++) {
      if (text_[i] != '<' || seen_[i] != Seen::kText || IsEscaped(i)) continue;
      const size_t end = finder.End(i, leaf.end);
      if (end == 0) continue;
      Remove(i, end);
      i = end - 1;
    }
  }
}

// Where only the parser sees code, a reader sees text there, and what stands before it may go on in it: a tag
// whose attributes span lines. People do not write what it takes.
bool Scanner::AgreesAboutCodeBlocks() const {
  auto code = blocks_.code.begin();
  for (size_t i = 0; i < text_.size(); i++) {
    while (code != blocks_.code.end() && code->end <= i) ++code;
    if (seen_[i] == Seen::kCodeBlock && (code == blocks_.code.end() || i < code->begin)) return false;
  }
  return true;
}

// A fence shows as a line without a reported byte.
bool Scanner::IsFenceForParserOnly(size_t at) const {
  if ((text_[at] != '`' && text_[at] != '~') || IsCode(at)) return false;
  const size_t end = std::min(text_.find_first_of("\r\n", at), text_.size());
  return std::all_of(seen_.begin() + static_cast<ptrdiff_t>(at), seen_.begin() + static_cast<ptrdiff_t>(end),
                     [](Seen seen) { return seen == Seen::kNone; });
}

// Targets behind text that the parser shows as text although another makes a link of it: it misses a line
// break behind blanks in `[x](  ` and takes `[x][y](z)` for a reference. Without a '[' before it in the
// paragraph, `](z)` is text.
void Scanner::ScanLooseTargets() {
  bool open = false;
  bool blank = true;  // nothing on this line yet
  for (size_t i = 0; i + 1 < text_.size(); i++) {
    if (IsNewline(text_[i])) {
      if (text_[i] == '\r' && text_[i + 1] == '\n') continue;
      open = open && !blank;
      blank = true;
      continue;
    }
    blank = blank && std::strchr(" \t>\r", text_[i]) != nullptr;
    if (seen_[i] != Seen::kNone && seen_[i] != Seen::kText) continue;
    open = open || (text_[i] == '[' && !IsEscaped(i));
    if (!open || text_[i] != ']' || text_[i + 1] != '(' || IsEscaped(i)) continue;
    const auto tail = ParseInlineTail(text_, i + 1);
    if (tail && !TargetAllowed(tail->target.contents)) {
      Remove(tail->target.begin, tail->target.title_end);
    } else if (tail && std::find(seen_.begin() + static_cast<ptrdiff_t>(i),
                                 seen_.begin() + static_cast<ptrdiff_t>(tail->end),
                                 Seen::kCodeSpan) != seen_.begin() + static_cast<ptrdiff_t>(tail->end)) {
      scan_.lost = true;
    }
  }
}

void MergeCuts(std::vector<Range>* cuts) {
  std::sort(cuts->begin(), cuts->end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  size_t kept = 0;
  for (const Range& cut : *cuts) {
    if (kept > 0 && cut.begin <= (*cuts)[kept - 1].end) {
      (*cuts)[kept - 1].end = std::max((*cuts)[kept - 1].end, cut.end);
    } else {
      (*cuts)[kept++] = cut;
    }
  }
  cuts->resize(kept);
}

Scan Scanner::Run() {
  if (!blocks_.confusing_blanks.empty()) {
    scan_.cuts = blocks_.confusing_blanks;  // what the parser would say with them counts for nothing
    return scan_;
  }
  MD_PARSER parser = {};
  parser.flags = MD_FLAG_NOHTMLBLOCKS;  // tags in HTML blocks are reported like any others, and nothing else
  parser.enter_block = [](MD_BLOCKTYPE type, void*, void* self) {
    static_cast<Scanner*>(self)->EndLeaf();
    static_cast<Scanner*>(self)->in_code_block_ = type == MD_BLOCK_CODE;
    return 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE, void*, void* self) {
    static_cast<Scanner*>(self)->EndLeaf();
    static_cast<Scanner*>(self)->in_code_block_ = false;
    return 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void*, void* self) {
    static_cast<Scanner*>(self)->EnterSpan(type);
    return 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void* detail, void* self) {
    return static_cast<Scanner*>(self)->LeaveSpan(type, detail);
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* bytes, MD_SIZE size, void* self) {
    static_cast<Scanner*>(self)->Text(type, bytes, size);
    return 0;
  };
  if (md_parse(text_.data(), static_cast<MD_SIZE>(text_.size()), &parser, this) != 0) scan_.lost = true;
  if (scan_.lost) return scan_;
  ScanLineStarts();
  ScanSpecialTags();
  ScanLooseTargets();
  MergeCuts(&scan_.cuts);
  scan_.lost = scan_.lost || !AgreesAboutCodeBlocks() || (elsewhere_ && scan_.cuts.empty());
  return scan_;
}

}  // namespace

Scan ScanMarkdown(const std::string& text) {
  return Scanner(text).Run();
}

}  // namespace parley::threads
