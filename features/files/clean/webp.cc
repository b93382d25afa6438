// WebP (RFC 9649): "RIFF", u32 size, "WEBP", then chunks of type, u32 size, data and a byte of padding after
// an odd size. An extended file begins with VP8X: flags and the size of the canvas.
//
// Kept: VP8X, pictures, frames, the colour profile. Inside of frames only pictures are kept.
// The first pass finds the size of the result, which is in the first bytes.
#include <algorithm>
#include <iterator>

#include "features/files/clean/exif.h"
#include "features/files/clean/formats.h"

namespace parley::features::clean {
namespace {

using namespace std::literals;
using protocol::Ok;
using protocol::Result;
using protocol::Status;

constexpr std::string_view kWebpPictures[] = {"ALPH", "VP8 ", "VP8L"};
constexpr std::string_view kWebpKept[] = {"VP8X", "ICCP", "ANIM", "ANMF", "ALPH", "VP8 ", "VP8L"};
constexpr int64_t kWebpHead = 12, kChunkHead = 8, kFrameHead = 16;
constexpr int kExifFlag = 0x08, kXmpFlag = 0x04;

template <size_t N>
bool IsOneOf(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

struct RiffChunk {
  std::string type;
  int64_t begin = 0, body = 0, end = 0;  // `end` includes the padding
};

class WebpCleaner {
 public:
  WebpCleaner(Input& in, Rewriter& out) : in_(in), out_(out) {}

  Result<MediaFacts> Run() {
    PARLEY_TRY(head, in_.Bytes(0, kWebpHead));
    if (head.substr(0, 4) != "RIFF" || head.substr(8, 4) != "WEBP") return CannotBeCleaned();
    end_ = kChunkHead + Little32(head, 4);
    if (end_ > in_.size() || end_ % 2 != 0) return CannotBeCleaned();
    PARLEY_CHECK_OK(Survey());
    PARLEY_CHECK_OK(out_.KeepTo(4));
    PARLEY_CHECK_OK(out_.ReplaceTo(8, LittleText32(static_cast<uint32_t>(size_ - kChunkHead))));
    PARLEY_CHECK_OK(out_.KeepTo(kWebpHead));
    while (out_.at() < end_) PARLEY_CHECK_OK(TakeChunk());
    PARLEY_CHECK_OK(out_.DropTo(in_.size()));
    MediaFacts facts;
    SetSize(w_, h_, orientation_, &facts);
    return facts;
  }

 private:
  Result<RiffChunk> ChunkAt(int64_t at, int64_t limit) {
    if (limit - at < kChunkHead) return CannotBeCleaned();
    PARLEY_TRY(head, in_.Bytes(at, kChunkHead));
    const int64_t size = Little32(head, 4);
    RiffChunk out{std::string(head.substr(0, 4)), at, at + kChunkHead, at + kChunkHead + size + size % 2};
    if (out.end > limit) return CannotBeCleaned();
    return out;
  }

  // First pass: the orientation, the sides, and the size of the result.
  Status Survey() {
    size_ = kWebpHead;
    for (int64_t at = kWebpHead; at < end_;) {
      PARLEY_TRY(chunk, ChunkAt(at, end_));
      at = chunk.end;
      if (chunk.begin == kWebpHead) PARLEY_CHECK_OK(ReadSides(chunk));
      if (chunk.type == "EXIF") PARLEY_CHECK_OK(ReadOrientation(chunk));
      if (chunk.type == "ANMF") {
        PARLEY_TRY(frame, FrameBytes(chunk));
        size_ += kChunkHead + frame;
      } else if (IsOneOf(kWebpKept, chunk.type)) {
        size_ += chunk.end - chunk.begin;
      }
    }
    if (w_ == 0) return CannotBeCleaned();  // no picture
    size_ += static_cast<int64_t>(ExifChunk().size());
    return Ok();
  }

  Status ReadSides(const RiffChunk& chunk) {
    if (chunk.end - chunk.body < 10) return CannotBeCleaned();
    PARLEY_TRY(bytes, in_.Bytes(chunk.body, 10));
    if (chunk.type == "VP8X") {
      is_extended_ = true;
      w_ = 1 + (Little32(bytes, 4) & 0xffffff);
      h_ = 1 + (Little32(bytes, 6) >> 8);
    } else if (chunk.type == "VP8L") {
      const uint32_t bits = Little32(bytes, 1);
      w_ = 1 + (bits & 0x3fff);
      h_ = 1 + (bits >> 14 & 0x3fff);
    } else if (chunk.type == "VP8 ") {
      w_ = Little32(bytes, 6) & 0x3fff;
      h_ = Little32(bytes, 6) >> 16 & 0x3fff;
    } else {
      return CannotBeCleaned();
    }
    return Ok();
  }

  Status ReadOrientation(const RiffChunk& chunk) {
    if (exif_at_ != 0 || !is_extended_) return Ok();
    exif_at_ = chunk.begin;
    const auto size = static_cast<size_t>(chunk.end - chunk.body);
    PARLEY_TRY(tiff, in_.Bytes(chunk.body, std::min(size, kExifBytesMax)));
    orientation_ = OrientationOf(tiff);
    return Ok();
  }

  std::string ExifChunk() const {
    const std::string tiff = MinimalExif(orientation_);  // its size is even
    if (tiff.empty()) return {};
    return "EXIF" + LittleText32(static_cast<uint32_t>(tiff.size())) + tiff;
  }

  // The size of a frame's data without the chunks that are dropped.
  Result<int64_t> FrameBytes(const RiffChunk& frame) {
    if (frame.end - frame.body < kFrameHead) return CannotBeCleaned();
    int64_t out = kFrameHead;
    for (int64_t at = frame.body + kFrameHead; at < frame.end;) {
      PARLEY_TRY(chunk, ChunkAt(at, frame.end));
      at = chunk.end;
      if (IsOneOf(kWebpPictures, chunk.type)) out += chunk.end - chunk.begin;
    }
    return out;
  }

  Status TakeChunk() {
    PARLEY_TRY(chunk, ChunkAt(out_.at(), end_));
    if (chunk.type == "VP8X") return TakeExtended(chunk);
    if (chunk.type == "ANMF") return TakeFrame(chunk);
    if (chunk.begin == exif_at_) return out_.ReplaceTo(chunk.end, ExifChunk());
    return IsOneOf(kWebpKept, chunk.type) ? out_.KeepTo(chunk.end) : out_.DropTo(chunk.end);
  }

  Status TakeExtended(const RiffChunk& chunk) {
    if (chunk.begin != kWebpHead || chunk.end - chunk.body != 10) return CannotBeCleaned();
    PARLEY_TRY(byte, in_.Bytes(chunk.body, 1));
    int flags = Byte(byte) & ~(kExifFlag | kXmpFlag);
    if (orientation_ != 1) flags |= kExifFlag;
    PARLEY_CHECK_OK(out_.KeepTo(chunk.body));
    PARLEY_CHECK_OK(out_.ReplaceTo(chunk.body + 1, std::string(1, static_cast<char>(flags))));
    return out_.KeepTo(chunk.end);
  }

  Status TakeFrame(const RiffChunk& frame) {
    PARLEY_TRY(size, FrameBytes(frame));
    PARLEY_CHECK_OK(out_.KeepTo(frame.begin + 4));
    PARLEY_CHECK_OK(out_.ReplaceTo(frame.body, LittleText32(static_cast<uint32_t>(size))));
    PARLEY_CHECK_OK(out_.KeepTo(frame.body + kFrameHead));
    while (out_.at() < frame.end) {
      PARLEY_TRY(chunk, ChunkAt(out_.at(), frame.end));
      PARLEY_CHECK_OK(IsOneOf(kWebpPictures, chunk.type) ? out_.KeepTo(chunk.end) : out_.DropTo(chunk.end));
    }
    return Ok();
  }

  Input& in_;
  Rewriter& out_;
  int64_t end_ = 0, size_ = 0;
  int64_t w_ = 0, h_ = 0;
  int64_t exif_at_ = 0;
  int orientation_ = 1;
  bool is_extended_ = false;
};

}  // namespace

Result<MediaFacts> CleanWebp(Input& in, Rewriter& out) {
  return WebpCleaner(in, out).Run();
}

}  // namespace parley::features::clean
