// Lists the bytes of a track's samples, chunk by chunk (ISO/IEC 14496-12 §8.7), from three tables of the
// track: the offsets of chunks (stco, co64), the samples in each (stsc), the sizes of samples (stsz).
//
// Thread contract: blocking; one thread at a time.
#pragma once

#include <cstdint>
#include <optional>

#include "features/files/clean/boxes.h"

namespace parley::features::clean {

class SampleRanges {
 public:
  // `stbl`: the table of samples. UNSUPPORTED_TYPE if a part is missing.
  static protocol::Result<SampleRanges> Of(Input& in, const Box& stbl);
  // The next chunk; nullopt after the last. UNSUPPORTED_TYPE unless each begins at or after the end of the
  // one before.
  protocol::Result<std::optional<Range>> Next();

 private:
  SampleRanges(ByteReader& reader, const Box& offsets, const Box& runs, const Box& sizes);
  protocol::Status ReadCounts();
  protocol::Result<int64_t> OffsetOf(uint32_t chunk);
  protocol::Result<uint32_t> SamplesIn(uint32_t chunk);
  protocol::Result<int64_t> BytesOf(uint32_t samples);

  // An input for each table, because they are read in turn.
  Input offset_in_, run_in_, size_in_;
  Box offsets_, runs_, sizes_;
  uint32_t chunks_ = 0, run_count_ = 0, sample_count_ = 0;
  uint32_t sample_size_ = 0;  // every sample's; 0: each has its own
  uint32_t chunk_ = 0, run_ = 0, sample_ = 0;
  int64_t end_ = 0;  // the last chunk's
};

}  // namespace parley::features::clean
