#include "threads/model/preview.h"

#include <algorithm>
#include <bitset>

#include "protocol/base/ascii.h"
#include "protocol/base/clusters.h"
#include "threads/model/preview_line.h"

namespace parley::threads {
namespace {

using Scanned = std::bitset<kPreviewScanBytes>;

// The part of a text that is examined.
std::string_view BeginningOf(std::string_view text) {
  return protocol::FirstBytes(text, kPreviewScanBytes);
}

bool IsWordByte(char c) {
  return protocol::IsDigit(c) || protocol::IsLetter(c) || static_cast<unsigned char>(c) >= 0x80;
}
bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool EndsLine(char c) {
  return c == '\n' || c == '\r';
}
bool IsPunctuation(char c) {
  return c > ' ' && c < 0x7F && !IsWordByte(c);
}

// Whether the text cannot contain a mark, like most messages.
bool IsPlain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return IsWordByte(c) || c == ' ' || c == ',' || c == '.' || c == '?' || c == ';' || c == ':' || c == '\'';
  });
}

// Finds the marks in a text. Examines each byte a bounded number of times.
class Marks {
 public:
  explicit Marks(std::string_view text) : text_(text) {
    bool line_begins = true;
    while (at_ < text_.size()) {
      if (line_begins) SkipLineMarks();
      if (at_ == text_.size()) break;
      line_begins = text_[at_] == '\n';
      SkipInline();
    }
  }
  const Scanned& marks() const { return marks_; }
  size_t steps() const { return steps_; }

 private:
  char At(size_t i) {
    ++steps_;
    return i < text_.size() ? text_[i] : '\n';  // the end of the text also ends the line
  }
  void Mark(size_t begin, size_t end) {
    for (; begin < end; ++begin) marks_.set(begin);
  }
  size_t EndOfRun(size_t at) {
    size_t end = at + 1;
    while (end < text_.size() && At(end) == text_[at]) ++end;
    return end;
  }
  size_t EndOfLine(size_t at) {
    while (at < text_.size() && At(at) != '\n') ++at;
    return at;
  }

  // Skips the marks before the words of a line.
  void SkipLineMarks() {
    for (;;) {
      while (at_ < text_.size() && (At(at_) == ' ' || At(at_) == '\t')) ++at_;
      if (at_ == text_.size()) return;
      const char c = text_[at_];
      if (std::string_view("`~-=*_#+>").find(c) == std::string_view::npos) return;
      const size_t run = EndOfRun(at_);
      if ((c == '`' || c == '~') && run - at_ >= 3) return MarkLine();
      if ((c == '-' || c == '=' || c == '*' || c == '_') && run - at_ >= 3 && EndsLine(At(run)))
        return MarkLine();
      const bool heading = c == '#' && run - at_ <= 6 && IsBlank(At(run));
      const bool bullet = (c == '-' || c == '+' || c == '*') && run - at_ == 1 && IsBlank(At(run));
      if (c != '>' && !heading && !bullet) return;
      Mark(at_, run);
      at_ = run;
      if (heading) return;
    }
  }
  void MarkLine() {
    const size_t end = EndOfLine(at_);
    Mark(at_, end);
    at_ = end;
  }

  // Skips one character, mark or run of marks.
  void SkipInline() {
    const char c = At(at_);
    if (c == '\\' && IsPunctuation(At(at_ + 1))) {
      Mark(at_, at_ + 1);
      at_ += 2;  // skips the escaped character, too
    } else if (c == '`' || c == '*' || c == '_' || c == '~') {
      SkipRun(c);
    } else if (c == ']' && opened_ != kNone && At(at_ + 1) == '(' && FindTarget()) {
      if (opened_ > 0 && At(opened_ - 1) == '!') --opened_;
      Mark(opened_, opened_ + (text_[opened_] == '!' ? 2 : 1));
      Mark(at_, target_end_ + 1);
      at_ = target_end_ + 1;
      opened_ = kNone;
    } else {
      if (c == '[') opened_ = at_;
      if (c == ']') opened_ = kNone;
      ++at_;
    }
  }

  void SkipRun(char c) {
    const size_t end = EndOfRun(at_);
    const char before = at_ > 0 ? At(at_ - 1) : '\n', after = At(end);
    const bool apart = IsBlank(before) && IsBlank(after);
    const bool within = c == '_' && IsWordByte(before) && IsWordByte(after);
    const bool lone = c == '~' && end - at_ < 2;
    if (c == '`' || (!apart && !within && !lone)) Mark(at_, end);
    at_ = end;
  }

  // Finds the end of the target that begins at at_, on its line. Searches no part twice.
  bool FindTarget() {
    if (target_end_ == kNone || target_end_ < at_) {
      target_end_ = at_;
      while (target_end_ < text_.size() && At(target_end_) != ')' && text_[target_end_] != '\n')
        ++target_end_;
    }
    return target_end_ < text_.size() && text_[target_end_] == ')';
  }

  static constexpr size_t kNone = SIZE_MAX;
  const std::string_view text_;
  size_t at_ = 0;
  size_t opened_ = kNone;      // the last [ that no ] has closed
  size_t target_end_ = kNone;  // the next ) or end of line after some ](
  Scanned marks_;
  size_t steps_ = 0;
};

// Whether a character within a line may be read as markup; an underscore within a word, as in ids, may not.
bool IsMarkup(std::string_view text, size_t at) {
  if (text[at] == '_')
    return at == 0 || !IsWordByte(text[at - 1]) || at + 1 == text.size() || !IsWordByte(text[at + 1]);
  return std::string_view("<>[]`*~\\").find(text[at]) != std::string_view::npos;
}

}  // namespace

std::string Preview(std::string_view body, size_t* steps) {
  const std::string_view text = BeginningOf(body);
  PreviewLine line(kPreviewCodePointsMax);
  if (steps) *steps = 2 * text.size();
  if (IsPlain(text)) {
    line.Append(text);
  } else {
    const Marks found(text);
    if (steps) *steps += found.steps();
    for (size_t i = 0, length; i < text.size() && !line.full(); i += length) {
      length = CharacterLength(text, i);
      if (!found.marks().test(i)) line.AppendCharacter(text.substr(i, length));
    }
  }
  if (text.size() < body.size()) line.Cut();
  return line.Take();
}

std::string PreviewOf(const protocol::Message& message) {
  const auto& files = message.attachments.items;
  if (!message.body.empty() || files.empty()) return Preview(message.body);
  const auto all = [&](std::string_view type) {
    return std::all_of(files.begin(), files.end(),
                       [&](const auto& one) { return one.mime && one.mime->value.starts_with(type); });
  };
  const std::string word = all("image/") ? "Photo" : all("video/") ? "Video" : "File";
  return files.size() == 1 ? word : word + "s";
}

std::string Quotable(std::string_view whole) {
  const std::string_view text = BeginningOf(whole);
  std::string plain(text);
  for (size_t at = 0; at < text.size(); ++at) {
    if (IsMarkup(text, at)) plain[at] = ' ';
  }
  for (size_t at = 0; (at = plain.find("://", at)) != std::string::npos;) plain.replace(at, 3, ": ");
  PreviewLine line(kQuoteCodePointsMax);
  line.Append(plain);
  if (text.size() < whole.size()) line.Cut();
  return line.Take();
}

}  // namespace parley::threads
