// Finds words and phrases in folded text, whole words only, in any of these disguises: lookalikes and signs
// for letters (v3nm0, ca$h app), a sign for any letter (wh*tsapp), letters apart (v e n m o) or doubled
// (vennmo), words run together or hyphenated.
//
// Linear in the text: from the beginning of each word at most kSpanMax places are read, in at most kStatesMax
// ways. Immutable once filled, thread-safe.
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
  static constexpr size_t kSpanMax = 128;  // places of a match, including the disguise
  static constexpr size_t kStatesMax = 48;

  Terms();
  // Adds a term, whose matches return `tag`. Returns false if it has fewer than three letters and digits, or
  // signs other than blanks and hyphens. The first of equal terms counts.
  bool Add(std::string_view term, uint32_t tag);
  bool empty() const { return nodes_.size() == 1; }
  size_t bytes() const;  // approximate memory

  struct Find {
    uint32_t tag = 0;
    size_t begin = 0, end = 0;  // units
  };
  // Returns the longest match that begins at this unit. Adds its work to *steps and stops at `steps_max`,
  // which may miss disguises of unusually costly terms.
  std::optional<Find> FindAt(const std::vector<Unit>& units, size_t begin, size_t* steps,
                             size_t steps_max = SIZE_MAX) const;

 private:
  struct Edge {
    char32_t letter;
    uint32_t node;
  };
  struct Node {
    std::vector<Edge> edges;  // sorted by letter; ' ' is the gap between two words
    std::optional<uint32_t> tag;
    char32_t letter = 0;   // letter of the edge to this node
    uint16_t letters = 0;  // number of letters from the root, without gaps
    bool one_word = true;
  };
  struct State {
    uint32_t node;
    uint8_t wild = 0, real = 0, repeats = 0, gap = 0;
    bool blank = false;  // the gap has a blank
    bool alone = false;  // the last letter was alone
  };
  class Walk;
  const uint32_t* Next(uint32_t node, char32_t letter) const;
  std::vector<Node> nodes_;
};

}  // namespace parley::threads::text
