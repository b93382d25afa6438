// Finds words and phrases in folded text, whole words only, however they are disguised: lookalikes and signs
// for letters (v3nm0, ca$h app), a sign for any letter (wh*tsapp), letters apart (v e n m o) or doubled
// (vennmo), words run together or hyphenated.
//
// Linear in the text: from each beginning of a word at most kSpanMax places are read with at most kStatesMax
// ways to read them. Immutable once filled, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "threads/text/fold.h"

namespace parley::threads::text {

class Terms {
 public:
  static constexpr size_t kSpanMax = 128;  // places of a find, disguise included
  static constexpr size_t kStatesMax = 48;

  Terms();
  // `tag` comes back with a find. False: it has fewer than three letters and digits, or other signs than
  // blanks and hyphens. Of equal terms the first counts.
  bool Add(std::string_view term, uint32_t tag);
  bool empty() const { return nodes_.size() == 1; }
  size_t bytes() const;  // of memory, about

  struct Find {
    uint32_t tag = 0;
    size_t begin = 0, end = 0;  // units
  };
  // The longest that begins at this unit. *steps grows by the work that it took, and ends it at `steps_max`:
  // what is then not found is a disguise of terms that nobody would set.
  std::optional<Find> FindAt(const std::vector<Unit>& units, size_t begin, size_t* steps,
                             size_t steps_max = SIZE_MAX) const;

 private:
  struct Edge {
    char32_t letter;
    uint32_t node;
  };
  struct Node {
    std::vector<Edge> edges;  // by letter; ' ' is the gap between two words
    std::optional<uint32_t> tag;
    char32_t letter = 0;   // that leads here
    uint16_t letters = 0;  // from the root, without gaps
    bool one_word = true;
  };
  struct State {
    uint32_t node;
    uint8_t wild = 0, real = 0, repeats = 0, gap = 0;
    bool blank = false;  // in the gap
    bool alone = false;  // the last letter stood alone
  };
  class Walk;
  const uint32_t* Next(uint32_t node, char32_t letter) const;
  std::vector<Node> nodes_;
};

}  // namespace parley::threads::text
