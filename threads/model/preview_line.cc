#include "threads/model/preview_line.h"

#include <cstdint>

#include "protocol/base/clusters.h"

namespace parley::threads {
namespace {

constexpr std::string_view kEllipsis = "\u2026";

// REQUIRES: one character, as CharacterLength defines it.
char32_t CodePointOf(std::string_view character) {
  const auto at = [&](size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return at(0);
  char32_t out = at(0) & (0xFFu >> (character.size() + 1));
  for (size_t i = 1; i < character.size(); ++i) out = out << 6 | (at(i) & 0x3F);
  return out;
}

// ASCII white space and control characters, and the wide spaces, which are as invisible.
bool IsSpace(char32_t c) {
  return c <= ' ' || c == 0x7F || c == 0xA0 || c == 0x2028 || c == 0x2029 || c == 0x3000;
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
  if (full_) return;
  if (IsSpace(CodePointOf(character))) {
    space_ = true;
    return;
  }
  const size_t needed = space_ && !text_.empty() ? 2 : 1;
  full_ = code_points_ + needed > most_;
  if (needed == 2) text_.push_back(' ');
  text_.append(character);
  code_points_ += needed;
  space_ = false;
}

void PreviewLine::Cut() {
  full_ = true;
}

std::string PreviewLine::Take() {
  if (!full_) return std::move(text_);
  text_.resize(protocol::FirstCodePoints(text_, most_ - 1).size());
  if (text_.ends_with(' ')) text_.pop_back();
  return std::move(text_.append(kEllipsis));
}

}  // namespace parley::threads
