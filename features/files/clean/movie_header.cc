#include "features/files/clean/movie_header.h"

#include <utility>

namespace parley::features::clean {
namespace {

// `fields`: u32 time scale and the duration, u32 or u64 of ones if unknown.
std::optional<int64_t> DurationOf(std::string_view fields, bool is_long) {
  const uint64_t scale = Big32(fields), duration = is_long ? Big64(fields, 4) : Big32(fields, 4);
  const uint64_t unknown = is_long ? UINT64_MAX : UINT32_MAX;
  if (scale == 0 || duration == 0 || duration == unknown || duration > INT64_MAX / 1000) return {};
  return static_cast<int64_t>(duration * 1000 / scale);
}

// `fields`: nine numbers of a matrix and the two sides, in 1/65536 pixels. A quarter turn has zeros for the
// first and the fifth number.
void ReadSides(std::string_view fields, MovieHeader* out) {
  out->w = Big32(fields, 36) >> 16;
  out->h = Big32(fields, 40) >> 16;
  if (Big32(fields, 0) == 0 && Big32(fields, 16) == 0 && Big32(fields, 4) != 0) std::swap(out->w, out->h);
}

}  // namespace

protocol::Result<MovieHeader> ReadMovieHeader(Input& in, const Box& box) {
  PARLEY_TRY(head, in.Bytes(box.body, 1));
  const int version = Byte(head);
  if (version > 1) return CannotBeCleaned();
  const bool is_long = version == 1;
  MovieHeader out;
  out.times = {box.body + 4, box.body + 4 + (is_long ? 16 : 8)};
  const int64_t duration = out.times.end, matrix = box.body + (is_long ? 52 : 40);
  if (duration > box.end) return CannotBeCleaned();
  if (box.type == FourCc("mvhd") && box.end - duration >= (is_long ? 12 : 8)) {
    PARLEY_TRY(fields, in.Bytes(duration, is_long ? 12 : 8));
    out.duration_ms = DurationOf(fields, is_long);
  }
  if (box.type == FourCc("tkhd") && box.end - matrix >= 44) {
    PARLEY_TRY(fields, in.Bytes(matrix, 44));
    ReadSides(fields, &out);
  }
  return out;
}

}  // namespace parley::features::clean
