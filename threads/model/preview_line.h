// Builds one line of plain text of bounded length, and cuts it with '…' between characters that a reader
// sees.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::threads {

// The number of bytes of the character that begins at text[at]; 1 for invalid UTF-8, so that no byte beyond
// the end is read. REQUIRES: at < text.size().
size_t CharacterLength(std::string_view text, size_t at);

// Turns runs of white space into one space, and removes them at both ends.
class PreviewLine {
 public:
  explicit PreviewLine(size_t code_points_max);

  void Append(std::string_view text);
  // Appends one code point, as CharacterLength defines it.
  void AppendCharacter(std::string_view character);
  // More was appended than fits: the line drops anything further.
  [[nodiscard]] bool full() const { return full_; }
  // Marks the line as cut: the text goes on, but is not appended.
  void Cut();
  [[nodiscard]] std::string Take();

 private:
  const size_t most_;
  std::string text_;  // once it is full, includes the code point that no longer fits
  size_t code_points_ = 0;
  bool space_ = false;  // a space to write before the next character
  bool full_ = false;
};

}  // namespace parley::threads
