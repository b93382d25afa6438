// Reads the headers of movies, tracks and media, mvhd, tkhd and mdhd (ISO/IEC 14496-12 §8.2.2, 8.3.2, 8.4.2).
//
// Thread contract: blocking; the objects belong to the call.
#pragma once

#include <cstdint>
#include <optional>

#include "features/files/clean/boxes.h"

namespace parley::features::clean {

struct MovieHeader {
  Range times;                         // when it was made and changed
  std::optional<int64_t> duration_ms;  // mvhd
  int64_t w = 0, h = 0;                // tkhd: pixels as shown; 0 for sound
};

protocol::Result<MovieHeader> ReadMovieHeader(Input& in, const Box& box);

}  // namespace parley::features::clean
