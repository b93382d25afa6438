// Finds the bytes of metadata items in HEIC and AVIF files (ISO/IEC 23008-12, 14496-12 §8.11): `iinf` names
// the type of each item, `iloc` its bytes.
//
// Thread contract: blocking; the objects belong to the call.
#pragma once

#include <cstdint>
#include <vector>

#include "features/files/clean/boxes.h"

namespace parley::features::clean {

struct HeifItems {
  std::vector<Range> metadata;  // ascending, without overlap
  int64_t w = 0, h = 0;         // the primary item, as shown; 0 if unknown
};

// `meta`: a box of the top level. UNSUPPORTED_TYPE if a metadata item has no known place, or shares bytes
// with a picture; or for more items than a picture has.
protocol::Result<HeifItems> ReadHeifItems(Input& in, const Box& meta);

}  // namespace parley::features::clean
