#include "gateway/net/chunk_scan.h"

#include <algorithm>

#include "protocol/base/ascii.h"

namespace parley::gateway {
namespace {

constexpr uint8_t kDigitsMax = 8;
constexpr size_t kLineBytesFree = 16;

}  // namespace

ChunkScan::Step ChunkScan::Take(const char* data, size_t size) {
  Step step;
  while (step.taken < size && step.data.empty() && !complete() && fault_ == 0) {
    if (at_ == At::kTrailers) {
      TakeTrailers(data, size, &step);
    } else if (at_ == At::kData) {
      step.data = {data + step.taken, static_cast<size_t>(std::min<uint64_t>(left_, size - step.taken))};
      step.taken += step.data.size();
      left_ -= step.data.size();
      if (left_ == 0) at_ = At::kDataEnd;
    } else {
      at_ = Next(data[step.taken++]);
    }
  }
  return step;
}

ChunkScan::At ChunkScan::Next(char c) {
  switch (at_) {
    case At::kSize:
      return SizeCharacter(c);
    case At::kExtension:
      if (c == '\r') return At::kSizeEnd;
      ++line_bytes_;
      if ((static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 0x7f) return Fault(400);
      return line_bytes_ > kOverheadMax ? Fault(400) : At::kExtension;
    case At::kSizeEnd:
      return c == '\n' ? BehindSize() : Fault(400);
    case At::kDataEnd:
      return c == '\r' ? At::kLineEnd : Fault(400);
    case At::kLineEnd:
      digits_ = 0;
      line_bytes_ = 0;
      return c == '\n' ? At::kSize : Fault(400);
    default:
      return at_;
  }
}

ChunkScan::At ChunkScan::SizeCharacter(char c) {
  if (const int digit = protocol::HexDigitOf(c); digit >= 0) {
    if (++digits_ > kDigitsMax) return Fault(400);
    left_ = left_ << 4 | static_cast<uint64_t>(digit);
    return At::kSize;
  }
  line_bytes_ = digits_;
  if (digits_ == 0) return Fault(400);
  if (c == ';') return At::kExtension;
  return c == '\r' ? At::kSizeEnd : Fault(400);
}

// A chunk may have its line, and as many further framing bytes as it has data.
ChunkScan::At ChunkScan::BehindSize() {
  overhead_ += line_bytes_;
  overhead_ -= std::min<uint64_t>(overhead_, kLineBytesFree + left_);
  if (overhead_ > kOverheadMax) return Fault(400);
  return left_ == 0 ? At::kTrailers : At::kData;
}

ChunkScan::At ChunkScan::Fault(int status) {
  fault_ = status;
  return At::kFault;
}

void ChunkScan::TakeTrailers(const char* data, size_t size, Step* step) {
  const size_t before = trailers_.bytes();
  const size_t room = std::min(size - step->taken, kTrailerBytesMax - before);
  const bool sound = trailers_.Take(data + step->taken, room);
  step->taken += trailers_.bytes() - before;
  if (!sound) {
    at_ = Fault(400);
  } else if (trailers_.complete()) {
    at_ = At::kBehind;
  } else if (trailers_.bytes() == kTrailerBytesMax) {
    at_ = Fault(431);
  }
}

}  // namespace parley::gateway
