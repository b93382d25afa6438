// Removes EXIF, GPS, XMP, IPTC, comments and thumbnails from images and videos without touching pixels, and
// reads the size of the picture.
//
// Thread contract: blocking; the objects belong to the call. Memory: less than 1 MiB for a file of any size.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "features/files/clean/bytes.h"

namespace parley::features::clean {

struct MediaFacts {
  std::optional<int64_t> w = {}, h = {};  // pixels, as shown: after the orientation
  std::optional<int64_t> duration_ms = {};
};

struct Cleaned {
  enum class Kind : uint8_t { kUnchanged, kCleaned };
  Kind kind = Kind::kUnchanged;
  int64_t size = 0;  // bytes of the result
  MediaFacts facts = {};
};

// Writes the cleaned file to `out`; nothing if it has nothing to remove, or if the type has no metadata
// that this function knows: PDF, archives, documents, text. UNSUPPORTED_TYPE, maybe after a part was written,
// if the file is malformed so that metadata could stay. Other errors are those of the reader and the sink.
protocol::Result<Cleaned> Clean(ByteReader& in, std::string_view mime, ByteSink& out);

// The facts alone; empty if the file is malformed. Other errors are those of the reader.
protocol::Result<MediaFacts> ReadMediaFacts(ByteReader& in, std::string_view mime);

}  // namespace parley::features::clean
