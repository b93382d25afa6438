#include "features/files/clean/boxes.h"

namespace parley::features::clean {

protocol::Result<Box> BoxAt(Input& in, int64_t at, int64_t limit, bool at_top) {
  if (limit - at < 8) return CannotBeCleaned();
  PARLEY_TRY(head, in.Bytes(at, 8));
  const uint32_t short_size = Big32(head);
  Box out{Big32(head, 4), at, at + 8, limit};
  auto size = static_cast<uint64_t>(limit - at);
  if (short_size == 1) {
    PARLEY_TRY(long_size, in.Bytes(at + 8, 8));
    size = Big64(long_size);
    out.body += 8;
  } else if (short_size != 0 || !at_top) {
    size = short_size;
  }
  if (size < static_cast<uint64_t>(out.body - at) || size > static_cast<uint64_t>(limit - at))
    return CannotBeCleaned();
  out.end = at + static_cast<int64_t>(size);
  return out;
}

protocol::Result<std::optional<Box>> FindBox(Input& in, int64_t at, int64_t limit, uint32_t type) {
  while (at < limit) {
    PARLEY_TRY(box, BoxAt(in, at, limit));
    if (box.type == type) return std::optional(box);
    at = box.end;
  }
  return std::optional<Box>();
}

}  // namespace parley::features::clean
