#include "threads/text_blocks.h"

#include <algorithm>
#include <cstddef>

namespace parley::threads {
namespace {

constexpr size_t kTabStop = 4;
constexpr size_t kCodeIndent = 4;
constexpr size_t kFenceMin = 3;
constexpr size_t kNumberDigitsMax = 9;

bool IsBlank(char c) {
  return c == ' ' || c == '\t';
}

// A place in one line. Columns count tabs up to their stop, and a tab may be passed in part.
class Cursor {
 public:
  Cursor(std::string_view line, size_t offset) : line_(line), offset_(offset) {}

  [[nodiscard]] size_t at() const { return offset_ + at_; }
  [[nodiscard]] std::string_view rest() const { return line_.substr(at_); }
  [[nodiscard]] size_t end() const { return offset_ + line_.size(); }

  // Columns of blanks before the next other character.
  [[nodiscard]] size_t Indent() const {
    size_t column = column_;
    for (size_t i = at_; i < line_.size() && IsBlank(line_[i]); i++) column += Width(line_[i], column);
    return column - column_;
  }
  [[nodiscard]] bool BlankToEnd() const { return rest().find_first_not_of(" \t") == std::string_view::npos; }

  void SkipColumns(size_t count) {
    while (count > 0 && at_ < line_.size()) {
      const size_t width = Width(line_[at_], column_);
      const size_t step = std::min(count, width);
      column_ += step;
      count -= step;
      if (step == width) at_++;
    }
  }
  void SkipBlanks() { SkipColumns(Indent()); }
  // The one blank that belongs to a marker.
  void SkipBlank() {
    if (at_ < line_.size() && IsBlank(line_[at_])) SkipColumns(1);
  }

 private:
  static size_t Width(char c, size_t column) { return c == '\t' ? kTabStop - column % kTabStop : 1; }

  std::string_view line_;
  size_t offset_;
  size_t at_ = 0;
  size_t column_ = 0;
};

size_t RunLength(std::string_view text) {
  return text.empty() ? 0 : std::min(text.find_first_not_of(text.front()), text.size());
}

bool IsAtxHeading(std::string_view rest) {
  if (!rest.starts_with('#') || RunLength(rest) > 6) return false;
  return rest.size() == RunLength(rest) || IsBlank(rest[RunLength(rest)]);
}

bool IsFence(std::string_view rest) {
  if (!(rest.starts_with('`') || rest.starts_with('~')) || RunLength(rest) < kFenceMin) return false;
  return rest.front() == '~' || rest.find('`', RunLength(rest)) == std::string_view::npos;
}

bool IsThematicBreak(std::string_view rest) {
  if (rest.empty() || std::string_view("*_-").find(rest.front()) == std::string_view::npos) return false;
  const char mark = rest.front();
  return std::all_of(rest.begin(), rest.end(), [&](char c) { return c == mark || IsBlank(c); }) &&
         std::count(rest.begin(), rest.end(), mark) >= 3;
}

bool IsSetextUnderline(std::string_view rest) {
  if (!(rest.starts_with('=') || rest.starts_with('-'))) return false;
  return rest.find_first_not_of(" \t", RunLength(rest)) == std::string_view::npos;
}

// The length of the list marker that `rest` begins with, 0 when there is none.
size_t MarkerLength(std::string_view rest, bool interrupts_paragraph) {
  size_t length = 0;
  while (length < std::min(rest.size(), kNumberDigitsMax) && rest[length] >= '0' && rest[length] <= '9')
    length++;
  const std::string_view ends = length == 0 ? "-+*" : ".)";
  if (length >= rest.size() || ends.find(rest[length]) == std::string_view::npos) return 0;
  const std::string_view number = rest.substr(0, length);
  length++;
  if (length < rest.size() && !IsBlank(rest[length])) return 0;
  const bool empty = rest.find_first_not_of(" \t", length) == std::string_view::npos;
  if (interrupts_paragraph &&
      (empty || (!number.empty() && number.find_first_not_of('0') != number.size() - 1) ||
       (!number.empty() && number.back() != '1'))) {
    return 0;
  }
  return length;
}

class BlockReader {
 public:
  explicit BlockReader(std::string_view text) : text_(text) {}

  Blocks Read() {
    bool after_empty = false;
    for (size_t begin = 0; begin < text_.size();) {
      const size_t end = std::min(text_.find_first_of("\r\n", begin), text_.size());
      const Cursor line(text_.substr(begin, end - begin), begin);
      // An empty line after another changes nothing; many of them below many containers would cost their
      // product.
      if (!(after_empty && line.BlankToEnd())) ReadLine(line);
      after_empty = line.BlankToEnd();
      begin = end + (text_.substr(end, 2) == "\r\n" ? 2 : 1);
    }
    return std::move(blocks_);
  }

 private:
  enum class Leaf { kNone, kParagraph, kFenced, kIndented };
  struct Container {
    bool quote = false;
    size_t width = 0;   // of a list item: columns its content is indented by
    bool empty = true;  // of a list item: nothing begun in it yet
  };

  void ReadLine(Cursor cursor) {
    const size_t matched = MatchContainers(&cursor);
    const bool all = matched == containers_.size();
    if (all && ContinueCode(cursor)) return;
    if (leaf_ != Leaf::kParagraph) leaf_ = Leaf::kNone;  // code has ended
    if (StartBlocks(&cursor, matched)) return;
    // The rest of the line is paragraph text, or nothing.
    if (cursor.BlankToEnd()) {
      if (!closed_) CloseFrom(matched);
      leaf_ = Leaf::kNone;
    } else if (leaf_ != Leaf::kParagraph) {
      if (!closed_) CloseFrom(matched);
      Begin(Leaf::kParagraph, cursor);
    }  // else it goes on, lazily where containers did not match
  }

  size_t MatchContainers(Cursor* cursor) {
    size_t matched = 0;
    for (; matched < containers_.size(); matched++) {
      const Container& container = containers_[matched];
      const size_t indent = cursor->Indent();
      if (container.quote) {
        if (indent >= kCodeIndent || !StartsWithAfterBlanks(*cursor, '>')) break;
        SkipQuoteMark(cursor);
      } else if (cursor->BlankToEnd()) {
        if (container.empty) {  // an item begins with at most one empty line
          if (indent > 0) blocks_.confusing_blanks.push_back({cursor->at(), cursor->end()});
          break;
        }
        cursor->SkipBlanks();
      } else if (indent >= container.width) {
        cursor->SkipColumns(container.width);
      } else {
        break;
      }
    }
    return matched;
  }

  // True when the line belongs to the open code block, or closes it.
  bool ContinueCode(const Cursor& cursor) {
    if (leaf_ == Leaf::kFenced) {
      blocks_.code.push_back({cursor.at(), cursor.end()});
      if (!ClosesFence(cursor)) return true;
      leaf_ = Leaf::kNone;
      const size_t behind = text_.find_last_not_of(" \t", cursor.end() - 1) + 1;
      if (cursor.rest().find('\t', behind - cursor.at()) != std::string_view::npos) {
        blocks_.confusing_blanks.push_back({behind, cursor.end()});
      }
      return true;
    }
    if (leaf_ != Leaf::kIndented) return false;
    if (cursor.Indent() >= kCodeIndent) blocks_.code.push_back({cursor.at(), cursor.end()});
    return cursor.Indent() >= kCodeIndent || cursor.BlankToEnd();
  }

  bool ClosesFence(Cursor cursor) const {
    if (cursor.Indent() >= kCodeIndent) return false;
    cursor.SkipBlanks();
    const std::string_view rest = cursor.rest();
    return rest.starts_with(fence_) && RunLength(rest) >= fence_length_ &&
           rest.find_first_not_of(" \t", RunLength(rest)) == std::string_view::npos;
  }

  // Opens what begins on this line. True when nothing of the line is left for a paragraph.
  bool StartBlocks(Cursor* cursor, size_t matched) {
    closed_ = matched == containers_.size();
    bool in_paragraph = closed_ && leaf_ == Leaf::kParagraph;
    while (!cursor->BlankToEnd()) {
      if (cursor->Indent() >= kCodeIndent) {
        if (leaf_ == Leaf::kParagraph) return false;
        CloseFrom(matched);
        Begin(Leaf::kIndented, *cursor);
        blocks_.code.push_back({cursor->at(), cursor->end()});
        return true;
      }
      Cursor content = *cursor;
      content.SkipBlanks();
      const size_t marker = MarkerLength(content.rest(), in_paragraph);
      if (content.rest().starts_with('>')) {
        CloseFrom(matched);
        Push({true, 0, true});
        SkipQuoteMark(cursor);
      } else if (StartLeaf(content, in_paragraph, matched)) {
        return true;
      } else if (marker > 0) {
        CloseFrom(matched);
        PushItem(cursor, marker);
      } else {
        if (in_paragraph) NoteLoneMarker(content);
        return false;
      }
      matched = containers_.size();
      in_paragraph = false;
    }
    return false;
  }

  bool StartLeaf(const Cursor& content, bool in_paragraph, size_t matched) {
    const std::string_view rest = content.rest();
    if (in_paragraph && IsSetextUnderline(rest)) {
      // A paragraph of nothing but definitions has no text to underline: it goes on.
      if (!paragraph_may_define_ || IsThematicBreak(rest)) leaf_ = Leaf::kNone;
      return true;
    }
    const bool fence = IsFence(rest);
    if (!fence && !IsAtxHeading(rest) && !IsThematicBreak(rest)) return false;
    CloseFrom(matched);
    Begin(fence ? Leaf::kFenced : Leaf::kNone, content);
    if (!fence) return true;
    fence_ = rest.front();
    fence_length_ = RunLength(rest);
    blocks_.code.push_back({content.at(), content.end()});
    return true;
  }

  void NoteLoneMarker(const Cursor& content) {
    const size_t length = MarkerLength(content.rest(), false);
    const bool alone = content.rest().find_first_not_of(" \t", length) == std::string_view::npos;
    if (length == 0 || !alone || content.at() + length == content.end()) return;
    blocks_.confusing_blanks.push_back({content.at() + length, content.end()});
  }

  void PushItem(Cursor* cursor, size_t marker) {
    const size_t indent = cursor->Indent();
    cursor->SkipColumns(indent + marker);
    const size_t blanks = cursor->Indent();
    const bool one_blank = blanks > kCodeIndent || blanks == 0 || cursor->BlankToEnd();
    if (one_blank) {
      cursor->SkipBlank();
    } else {
      cursor->SkipColumns(blanks);
    }
    Push({false, indent + marker + (one_blank ? 1 : blanks), true});
  }

  void Push(const Container& container) {
    if (!containers_.empty()) containers_.back().empty = false;
    containers_.push_back(container);
    leaf_ = Leaf::kNone;
  }

  void Begin(Leaf leaf, const Cursor& cursor) {
    if (!containers_.empty()) containers_.back().empty = false;
    leaf_ = leaf;
    Cursor content = cursor;
    content.SkipBlanks();
    paragraph_may_define_ = content.rest().starts_with('[');
  }

  void CloseFrom(size_t matched) {
    if (!closed_) containers_.resize(matched);
    closed_ = true;
    leaf_ = Leaf::kNone;
  }

  static bool StartsWithAfterBlanks(Cursor cursor, char c) {
    cursor.SkipBlanks();
    return cursor.rest().starts_with(c);
  }
  static void SkipQuoteMark(Cursor* cursor) {
    cursor->SkipColumns(cursor->Indent() + 1);
    cursor->SkipBlank();
  }

  std::string_view text_;
  Blocks blocks_;
  std::vector<Container> containers_;
  Leaf leaf_ = Leaf::kNone;
  bool closed_ = true;  // within a line: the containers it did not match are gone
  bool paragraph_may_define_ = false;
  char fence_ = 0;
  size_t fence_length_ = 0;
};

}  // namespace

Blocks FindBlocks(std::string_view text) {
  return BlockReader(text).Read();
}

}  // namespace parley::threads
