#include "threads/preview.h"

#include <md4c.h>

#include <algorithm>

#include "threads/text_entity.h"

namespace parley::threads {
namespace {

constexpr std::string_view kEllipsis = "\u2026";

// Bytes of the character that begins at text[at]: 1 for what is not UTF-8, so that nothing is read beyond the
// end.
size_t CharacterLength(std::string_view text, size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return 1;
  const size_t length = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1;
  if (at + length > text.size()) return 1;
  for (size_t i = 1; i < length; i++) {
    if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return 1;
  }
  return length;
}

// ASCII white space and control characters, and the wide spaces that would not show as a word either.
bool IsSpace(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return lead <= ' ' || lead == 0x7F;
  return character == "\u00A0" || character == "\u2028" || character == "\u2029" || character == "\u3000";
}

bool IsWordByte(std::string_view text, size_t at) {
  if (at >= text.size()) return false;
  const auto c = static_cast<unsigned char>(text[at]);
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c >= 0x80;
}

// Whether a character within a line may be read as markup. An underscore within a word, as ids have it, is
// not.
bool IsMarkup(std::string_view text, size_t at) {
  if (text[at] == '_') return at == 0 || !IsWordByte(text, at - 1) || !IsWordByte(text, at + 1);
  return std::string_view("<>[]`*~\\").find(text[at]) != std::string_view::npos;
}

// One line of bounded length. A space is remembered and written only before the next character, which trims
// both ends.
class Line {
 public:
  explicit Line(size_t most) : most_(most) { text_.reserve(most + kEllipsis.size()); }

  void Append(std::string_view text) {
    for (size_t i = 0, length; i < text.size() && !full(); i += length) {
      length = CharacterLength(text, i);
      AppendCharacter(text.substr(i, length));
    }
  }
  void AppendSpace() { space_ = true; }
  // More was given than fits.
  [[nodiscard]] bool full() const { return full_; }
  [[nodiscard]] std::string Take() {
    if (full_) text_.replace(cut_at_, std::string::npos, kEllipsis);
    return std::move(text_);
  }

 private:
  void AppendCharacter(std::string_view character) {
    if (IsSpace(character)) return AppendSpace();
    const size_t needed = space_ && !text_.empty() ? 2 : 1;
    full_ = code_points_ + needed > most_;
    if (full_) return;
    if (needed == 2) text_.push_back(' ');
    if (character.size() == 1) {
      text_.push_back(character.front());
    } else {
      text_.append(character);
    }
    code_points_ += needed;
    space_ = false;
    if (code_points_ < most_) cut_at_ = text_.size();
  }

  const size_t most_;
  std::string text_;
  size_t cut_at_ = 0;  // where the last character ends that leaves room for the '…'
  size_t code_points_ = 0;
  bool space_ = false;
  bool full_ = false;
};

void AppendText(MD_TEXTTYPE type, std::string_view text, Line* line) {
  if (type == MD_TEXT_HTML) return;
  if (type == MD_TEXT_NULLCHAR) return line->Append("\uFFFD");
  const char32_t code_point = type == MD_TEXT_ENTITY ? DecodeEntity(text) : 0;
  if (code_point == 0) return line->Append(text);
  std::string utf8;
  AppendUtf8(code_point, &utf8);
  line->Append(utf8);
}

// Text in which nothing can be markup: most of what people write. Letters, spaces and commas, in one line
// that does not begin like a list or a code block.
bool IsPlain(std::string_view body) {
  if (body.empty() || body.front() == ' ' || (body.front() >= '0' && body.front() <= '9')) return false;
  return std::all_of(body.begin(), body.end(), [](char c) {
    const bool letter =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
    return letter || (c >= '0' && c <= '9') || c == ' ' || c == ',' || c == '.' || c == '?' || c == ';';
  });
}

}  // namespace

std::string Preview(std::string_view body) {
  if (IsPlain(body)) {
    Line plain(kPreviewCodePointsMax);
    plain.Append(body);
    return plain.Take();
  }
  const std::string text(body);  // the parser reads the byte behind the text
  Line line(kPreviewCodePointsMax);
  MD_PARSER parser = {};
  parser.flags = MD_FLAG_NOHTMLBLOCKS;
  parser.enter_block = parser.leave_block = [](MD_BLOCKTYPE, void*, void* to) {
    static_cast<Line*>(to)->AppendSpace();
    return 0;
  };
  parser.enter_span = parser.leave_span = [](MD_SPANTYPE, void*, void*) { return 0; };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* bytes, MD_SIZE size, void* to) {
    AppendText(type, std::string_view(bytes, size), static_cast<Line*>(to));
    return static_cast<Line*>(to)->full() ? -1 : 0;  // nothing behind the cut is of interest
  };
  md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &line);
  return line.Take();
}

std::string Quotable(std::string_view text) {
  std::string plain(text);
  for (size_t at = 0; at < text.size(); ++at) {
    if (IsMarkup(text, at)) plain[at] = ' ';
  }
  for (size_t at = 0; (at = plain.find("://", at)) != std::string::npos;) plain.replace(at, 3, ": ");
  Line line(kQuoteCodePointsMax);
  line.Append(plain);
  return line.Take();
}

}  // namespace parley::threads
