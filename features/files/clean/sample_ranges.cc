#include "features/files/clean/sample_ranges.h"

#include <algorithm>

namespace parley::features::clean {
namespace {

using protocol::Ok;
using protocol::Result;
using protocol::Status;

constexpr size_t kTableWindow = size_t{4} << 10;
constexpr int64_t kTableHead = 8, kSizesHead = 12;  // version, flags and counts
constexpr int64_t kRunBytes = 12;                   // u32 first chunk, u32 samples in each, u32 description

bool Holds(const Box& table, int64_t head, uint32_t count, int64_t entry) {
  return table.body_size() >= head && (table.body_size() - head) / entry >= count;
}

}  // namespace

SampleRanges::SampleRanges(ByteReader& reader, const Box& offsets, const Box& runs, const Box& sizes)
    : offset_in_(reader, kTableWindow),
      run_in_(reader, kTableWindow),
      size_in_(reader, kTableWindow),
      offsets_(offsets),
      runs_(runs),
      sizes_(sizes) {}

Result<SampleRanges> SampleRanges::Of(Input& in, const Box& stbl) {
  PARLEY_TRY(short_offsets, FindBox(in, stbl.body, stbl.end, FourCc("stco")));
  PARLEY_TRY(long_offsets, FindBox(in, stbl.body, stbl.end, FourCc("co64")));
  PARLEY_TRY(runs, FindBox(in, stbl.body, stbl.end, FourCc("stsc")));
  PARLEY_TRY(sizes, FindBox(in, stbl.body, stbl.end, FourCc("stsz")));
  if (short_offsets.has_value() == long_offsets.has_value() || !runs || !sizes) return CannotBeCleaned();
  SampleRanges out(in.reader(), short_offsets ? *short_offsets : *long_offsets, *runs, *sizes);
  PARLEY_CHECK_OK(out.ReadCounts());
  return out;
}

Status SampleRanges::ReadCounts() {
  if (std::min(offsets_.body_size(), runs_.body_size()) < kTableHead || sizes_.body_size() < kSizesHead)
    return CannotBeCleaned();
  PARLEY_TRY(chunks, offset_in_.Big32At(offsets_.body + 4));
  PARLEY_TRY(runs, run_in_.Big32At(runs_.body + 4));
  PARLEY_TRY(size, size_in_.Big32At(sizes_.body + 4));
  PARLEY_TRY(samples, size_in_.Big32At(sizes_.body + 8));
  chunks_ = chunks;
  run_count_ = runs;
  sample_size_ = size;
  sample_count_ = samples;
  const int64_t offset_bytes = offsets_.type == FourCc("co64") ? 8 : 4;
  const bool fits = Holds(offsets_, kTableHead, chunks_, offset_bytes) &&
                    Holds(runs_, kTableHead, run_count_, kRunBytes) &&
                    (sample_size_ != 0 || Holds(sizes_, kSizesHead, sample_count_, 4));
  return fits ? Ok() : Status(CannotBeCleaned());
}

Result<std::optional<Range>> SampleRanges::Next() {
  if (chunk_ == chunks_) {
    // Samples without a chunk have no bytes that a player finds, but may have some that remain.
    if (sample_ != sample_count_) return CannotBeCleaned();
    return std::optional<Range>();
  }
  PARLEY_TRY(begin, OffsetOf(chunk_));
  PARLEY_TRY(samples, SamplesIn(chunk_));
  PARLEY_TRY(bytes, BytesOf(samples));
  ++chunk_;
  if (begin < end_ || bytes > offset_in_.size() - begin) return CannotBeCleaned();
  end_ = begin + bytes;
  return std::optional(Range{begin, end_});
}

Result<int64_t> SampleRanges::OffsetOf(uint32_t chunk) {
  if (offsets_.type == FourCc("stco")) {
    PARLEY_TRY(offset, offset_in_.Big32At(offsets_.body + kTableHead + int64_t{4} * chunk));
    if (offset > offset_in_.size()) return CannotBeCleaned();
    return static_cast<int64_t>(offset);
  }
  PARLEY_TRY(bytes, offset_in_.Bytes(offsets_.body + kTableHead + int64_t{8} * chunk, 8));
  const uint64_t offset = Big64(bytes);
  if (offset > static_cast<uint64_t>(offset_in_.size())) return CannotBeCleaned();
  return static_cast<int64_t>(offset);
}

// The first run begins with chunk 1, and each ends before the chunk with which the next begins.
Result<uint32_t> SampleRanges::SamplesIn(uint32_t chunk) {
  if (run_count_ == 0) return CannotBeCleaned();
  const int64_t first = runs_.body + kTableHead;
  while (run_ + 1 < run_count_) {
    PARLEY_TRY(next, run_in_.Big32At(first + kRunBytes * (run_ + 1)));
    if (next > chunk + 1) break;
    ++run_;
  }
  PARLEY_TRY(begins, run_in_.Big32At(first + kRunBytes * run_));
  if (begins > chunk + 1) return CannotBeCleaned();
  return run_in_.Big32At(first + kRunBytes * run_ + 4);
}

Result<int64_t> SampleRanges::BytesOf(uint32_t samples) {
  if (samples > sample_count_ - sample_) return CannotBeCleaned();
  if (sample_size_ != 0) {
    sample_ += samples;
    if (samples > INT64_MAX / int64_t{sample_size_}) return CannotBeCleaned();
    return int64_t{samples} * sample_size_;
  }
  int64_t out = 0;
  for (uint32_t i = 0; i < samples; ++i, ++sample_) {
    PARLEY_TRY(size, size_in_.Big32At(sizes_.body + kSizesHead + int64_t{4} * sample_));
    out += size;
    if (out > size_in_.size()) return CannotBeCleaned();
  }
  return out;
}

}  // namespace parley::features::clean
