#include "threads/model/preview_line.h"

#include <cstdint>

namespace parley::threads {
namespace {

constexpr std::string_view kEllipsis = "\u2026";
constexpr char32_t kJoiner = 0x200D;

// REQUIRES: one character, as CharacterLength defines it.
char32_t CodePointOf(std::string_view character) {
  const auto at = [&](size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return at(0);
  char32_t out = at(0) & (0xFFu >> (character.size() + 1));
  for (size_t i = 1; i < character.size(); ++i) out = out << 6 | (at(i) & 0x3F);
  return out;
}

// ASCII white space and control characters, and the wide spaces that would not show as a word either.
bool IsSpace(char32_t c) {
  return c <= ' ' || c == 0x7F || c == 0xA0 || c == 0x2028 || c == 0x2029 || c == 0x3000;
}

// Attaches to the character before it: accents, variation selectors, skin tones, enclosing marks, tags. Not
// all that exist, but those that people send.
bool Extends(char32_t c) {
  const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  return c == kJoiner || within(0x300, 0x36F) || within(0x20D0, 0x20FF) || within(0xFE00, 0xFE0F) ||
         within(0x1F3FB, 0x1F3FF) || within(0xE0020, 0xE007F);
}

}  // namespace

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

PreviewLine::PreviewLine(size_t code_points_max) : most_(code_points_max) {
  text_.reserve(most_ + kEllipsis.size());
}

void PreviewLine::Append(std::string_view text) {
  for (size_t i = 0, length; i < text.size() && !full_; i += length) {
    length = CharacterLength(text, i);
    AppendCharacter(text.substr(i, length));
  }
}

void PreviewLine::AppendCharacter(std::string_view character) {
  const char32_t c = CodePointOf(character);
  if (IsSpace(c)) {
    space_ = true;
    return;
  }
  const bool extends = !space_ && (joined_ || Extends(c));
  if (!extends && code_points_ < most_) cut_at_ = text_.size();
  const size_t needed = space_ && !text_.empty() ? 2 : 1;
  full_ = full_ || code_points_ + needed > most_;
  if (full_) return;
  if (needed == 2) text_.push_back(' ');
  text_.append(character);
  code_points_ += needed;
  space_ = false;
  joined_ = c == kJoiner;
}

void PreviewLine::Cut() {
  if (full_) return;
  if (code_points_ < most_) cut_at_ = text_.size();
  full_ = true;
}

std::string PreviewLine::Take() {
  if (full_) text_.replace(cut_at_, std::string::npos, kEllipsis);
  return std::move(text_);
}

}  // namespace parley::threads
