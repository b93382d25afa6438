// One line of plain text of bounded length, cut with '…' where a reader would cut it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::threads {

// Bytes of the character that begins at text[at]: 1 for what is not UTF-8, so that nothing is read beyond the
// end. REQUIRES: at < text.size().
size_t CharacterLength(std::string_view text, size_t at);

// Runs of white space become one space, and none stands at either end.
class PreviewLine {
 public:
  explicit PreviewLine(size_t code_points_max);

  void Append(std::string_view text);
  void AppendCharacter(std::string_view character);  // one, as CharacterLength has it
  // More was given than fits: what is appended further is dropped.
  [[nodiscard]] bool full() const { return full_; }
  // There is more that was not given.
  void Cut();
  [[nodiscard]] std::string Take();

 private:
  const size_t most_;
  std::string text_;
  size_t cut_at_ = 0;  // the last place between two characters as people see them that leaves room for '…'
  size_t code_points_ = 0;
  bool space_ = false;   // written only before the next character
  bool joined_ = false;  // the last code point joins the next to itself
  bool full_ = false;
};

}  // namespace parley::threads
