// Finds the size of the picture in HEIC and AVIF files: the properties `ispe` and `irot` of the primary item.
//
// Thread contract: blocking; the objects belong to the call.
#pragma once

#include <cstdint>

#include "features/files/clean/boxes.h"

namespace parley::features::clean {

// `meta`: a box of the top level. Leaves the numbers as they are if the size is unknown.
void ReadHeifSize(Input& in, const Box& meta, int64_t* w, int64_t* h);

}  // namespace parley::features::clean
