// Crochemore and Perrin, "Two-way string-matching", 1991: the needle is cut at a position whose local period
// is that of the whole; the part after the cut is compared forwards, the part before it backwards. A table of
// last positions skips ahead if the byte below the needle's end excludes a match.
#include "storage/expressions/search.h"

#include <algorithm>
#include <array>

namespace parley::storage {
namespace {

struct Cut {
  size_t at = 0;      // start of the right half
  size_t period = 1;  // the right half's
};

// The largest suffix in the order of bytes or, if `reversed`, the smallest.
Cut LargestSuffix(std::string_view part, bool reversed, size_t* compared) {
  size_t start = 0, candidate = 1, matched = 0, period = 1;
  while (candidate + matched < part.size()) {
    ++*compared;
    const auto a = static_cast<unsigned char>(part[start + matched]);
    const auto b = static_cast<unsigned char>(part[candidate + matched]);
    if (a == b) {
      if (++matched == period) {
        candidate += period;
        matched = 0;
      }
    } else if (reversed ? a < b : a > b) {
      candidate += matched + 1;
      matched = 0;
      period = candidate - start;
    } else {
      start = candidate++;
      matched = 0;
      period = 1;
    }
  }
  return {start, period};
}

class TwoWay {
 public:
  // REQUIRES: `part` is not empty.
  TwoWay(std::string_view part, size_t* compared) : part_(part), compared_(*compared) {
    for (size_t i = 0; i < part.size(); ++i) behind_[static_cast<unsigned char>(part[i])] = i + 1;
    cut_ = std::max(LargestSuffix(part, false, compared), LargestSuffix(part, true, compared),
                    [](const Cut& a, const Cut& b) { return a.at < b.at; });
    compared_ += cut_.at;
    repeats_ =
        cut_.at + cut_.period <= part.size() && part.substr(0, cut_.at) == part.substr(cut_.period, cut_.at);
    if (!repeats_) cut_.period = std::max(cut_.at, part.size() - cut_.at + 1);
  }

  bool IsIn(std::string_view whole) {
    // `known`: this many bytes of the needle match here, as the previous position has shown.
    for (size_t at = 0, known = 0; at + part_.size() <= whole.size();) {
      const char* const here = whole.data() + at;
      ++compared_;
      if (const size_t skip = part_.size() - behind_[static_cast<unsigned char>(here[part_.size() - 1])]) {
        at += std::max(skip, known);
        known = 0;
        continue;
      }
      if (const size_t end = MatchRight(here, known); end < part_.size()) {
        at += end - cut_.at + 1;
        known = 0;
        continue;
      }
      if (MatchesLeft(here, known)) return true;
      at += cut_.period;
      known = repeats_ ? part_.size() - cut_.period : 0;
    }
    return false;
  }

 private:
  // The end of the matching part.
  size_t MatchRight(const char* here, size_t known) {
    const size_t from = std::max(cut_.at, known);
    size_t end = from;
    while (end < part_.size() && part_[end] == here[end]) ++end;
    compared_ += end - from + 1;
    return end;
  }
  bool MatchesLeft(const char* here, size_t known) {
    size_t begin = cut_.at;
    while (begin > known && part_[begin - 1] == here[begin - 1]) --begin;
    compared_ += cut_.at > begin ? cut_.at - begin + 1 : 1;
    return begin <= known;
  }

  const std::string_view part_;
  size_t& compared_;
  std::array<size_t, 256> behind_ = {};  // the last place of each byte, and one
  Cut cut_;
  bool repeats_ = false;  // the whole needle has the period of its right half
};

}  // namespace

bool ContainsBytes(std::string_view whole, std::string_view part, size_t* compared) {
  size_t ignored = 0;
  if (part.empty()) return true;
  if (part.size() > whole.size()) return false;
  return TwoWay(part, compared ? compared : &ignored).IsIn(whole);
}

}  // namespace parley::storage
