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
  void AppendCharacter(std::string_view character);  // one, as CharacterLength defines it
  // More was given than fits: anything appended from now on is dropped.
  [[nodiscard]] bool full() const { return full_; }
  // There is more text that was not given.
  void Cut();
  [[nodiscard]] std::string Take();

 private:
  const size_t most_;
  std::string text_;
  size_t cut_at_ = 0;  // the last boundary between user-perceived characters that leaves room for '…'
  size_t code_points_ = 0;
  bool space_ = false;   // written only before the next character
  bool joined_ = false;  // the last code point joins the next one to itself
  bool full_ = false;
};

}  // namespace parley::threads
