// Where text may be cut: between grapheme clusters, which are what a reader takes for one character (a flag,
// a family of emoji, a letter with its accents, an Indic syllable), as ICU finds them. Every place that cuts
// what people wrote does it here. Pure, any thread.
//
// The cost is bounded by the length of the beginning that is asked for, and usually a few characters around
// its end, whatever follows. Invalid UTF-8 is passed on; it ends a cluster.
#pragma once

#include <cstddef>
#include <string_view>

namespace parley::protocol {

// The beginning of `text`: all of it if it has no more than that many bytes, otherwise as many whole clusters
// as fit. A first cluster that is longer by itself is cut between its code points, so that something is left.
std::string_view FirstBytes(std::string_view text, size_t bytes);
// The same by code points; a first cluster that is longer by itself leaves nothing.
std::string_view FirstCodePoints(std::string_view text, size_t code_points);

}  // namespace parley::protocol
