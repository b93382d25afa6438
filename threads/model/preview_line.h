// One line of plain text of bounded length, cut with '…' where a reader would cut it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::threads {

// Bytes of the character that begins at text[at]: 1 for invalid UTF-8, so that nothing is read beyond the
// end. REQUIRES: at < text.size().
size_t CharacterLength(std::string_view text, size_t at);

// Runs of white space become one space, and there is none at either end.
class PreviewLine {
 public:
  explicit PreviewLine(size_t code_points_max);

  void Append(std::string_view text);
  // One code point, as CharacterLength defines it.
  void AppendCharacter(std::string_view character);
  // More was given than fits: anything appended from now on is dropped.
  [[nodiscard]] bool full() const { return full_; }
  // There is more text that was not given.
  void Cut();
  [[nodiscard]] std::string Take();

 private:
  const size_t most_;
  std::string text_;  // once it is full, with the code point that no longer fits
  size_t code_points_ = 0;
  bool space_ = false;  // written only before the next character
  bool full_ = false;
};

}  // namespace parley::threads
