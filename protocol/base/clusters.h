// Cuts text between grapheme clusters, which readers see as one character (a flag, a family of emoji, a
// letter with its accents, an Indic syllable); ICU finds the boundaries. All code that cuts text written by
// people uses these functions. Pure, any thread.
//
// The cost is bounded by the length of the requested beginning, and usually covers a few characters around
// its end, however long the rest is. Invalid UTF-8 is kept; it ends a cluster.
#pragma once

#include <cstddef>
#include <string_view>

namespace parley::protocol {

// Returns all of `text` if it has at most that many bytes, otherwise as many whole clusters as fit. A first
// cluster that is too long is cut between its code points, so that the result is not empty.
std::string_view FirstBytes(std::string_view text, size_t bytes);
// Like FirstBytes, in code points; returns nothing if the first cluster is too long.
std::string_view FirstCodePoints(std::string_view text, size_t code_points);

}  // namespace parley::protocol
