// GIF89a: header, colour table, then blocks: images (2C), extensions (21) and the trailer (3B). Images and
// extensions end with a series of sub-blocks, u8 size and so many bytes, until a size of 0.
//
// Kept: images, graphic control extensions and loop counts. Everything after the trailer is dropped.
#include <algorithm>

#include "features/files/clean/formats.h"

namespace parley::features::clean {
namespace {

using namespace std::literals;
using protocol::Ok;
using protocol::Result;
using protocol::Status;

constexpr int kGifImage = 0x2c, kGifExtension = 0x21, kGifTrailer = 0x3b;
constexpr int kPlainText = 0x01, kGraphicControl = 0xf9, kApplication = 0xff;

int64_t ColourTableBytes(int flags) {
  return (flags & 0x80) == 0 ? 0 : int64_t{3} << ((flags & 0x07) + 1);
}

class GifCleaner {
 public:
  GifCleaner(Input& in, Rewriter& out) : in_(in), out_(out) {}

  Result<MediaFacts> Run() {
    PARLEY_TRY(start, in_.Bytes(0, 13));
    if (!start.starts_with("GIF87a") && !start.starts_with("GIF89a")) return CannotBeCleaned();
    MediaFacts facts;
    SetSize(Byte(start, 6) | Byte(start, 7) << 8, Byte(start, 8) | Byte(start, 9) << 8, 1, &facts);
    PARLEY_CHECK_OK(out_.KeepTo(13 + ColourTableBytes(Byte(start, 10))));
    while (!ended_) PARLEY_CHECK_OK(TakeBlock());
    PARLEY_CHECK_OK(out_.DropTo(in_.size()));
    return facts;
  }

 private:
  Status TakeBlock() {
    const int64_t at = out_.at();
    if (at == in_.size() && image_seen_) {  // decoders accept a file without the trailer
      ended_ = true;
      return out_.Put("\x3b");
    }
    PARLEY_TRY(kind, in_.Bytes(at, 1));
    switch (Byte(kind)) {
      case 0:
        return out_.DropTo(at + 1);  // padding of some encoders
      case kGifImage:
        return TakeImage(at);
      case kGifExtension:
        return TakeExtension(at);
      case kGifTrailer:
        ended_ = true;
        return image_seen_ ? out_.KeepTo(at + 1) : Status(CannotBeCleaned());
      default:
        return CannotBeCleaned();
    }
  }

  Status TakeImage(int64_t at) {
    PARLEY_TRY(head, in_.Bytes(at, 10));
    const int64_t data = at + 10 + ColourTableBytes(Byte(head, 9)) + 1;
    PARLEY_TRY(end, EndOfSubBlocks(data));
    image_seen_ = true;
    return out_.KeepTo(end);
  }

  Status TakeExtension(int64_t at) {
    PARLEY_TRY(head, in_.Bytes(at, 3));
    const int label = Byte(head, 1), size = Byte(head, 2);
    PARLEY_TRY(end, EndOfSubBlocks(at + 2));
    if (label == kGraphicControl && size == 4) return TakeControl(at, end);
    if (label != kApplication || size != 11) return out_.DropTo(end);
    PARLEY_TRY(application, in_.Bytes(at + 3, 13));
    const bool loops =
        application.starts_with("NETSCAPE2.0\x03\x01"sv) || application.starts_with("ANIMEXTS1.0\x03\x01"sv);
    return loops ? KeepThenEnd(at + 18, end) : out_.DropTo(end);
  }

  // It belongs to the next block; dropped with a plain text, it does not apply to the next image instead.
  Status TakeControl(int64_t at, int64_t end) {
    if (in_.size() - end < 2) return KeepThenEnd(at + 7, end);
    PARLEY_TRY(next, in_.Bytes(end, 2));
    if (Byte(next) == kGifExtension && Byte(next, 1) == kPlainText) return out_.DropTo(end);
    return KeepThenEnd(at + 7, end);
  }

  // Drops further sub-blocks, in which no decoder looks.
  Status KeepThenEnd(int64_t kept, int64_t end) {
    PARLEY_CHECK_OK(out_.KeepTo(kept));
    PARLEY_CHECK_OK(out_.DropTo(end - 1));
    return out_.KeepTo(end);
  }

  Result<int64_t> EndOfSubBlocks(int64_t at) {
    while (true) {
      PARLEY_TRY(byte, in_.Bytes(at, 1));
      const int size = Byte(byte);
      at += 1 + size;
      if (size == 0) return at;
    }
  }

  Input& in_;
  Rewriter& out_;
  bool image_seen_ = false, ended_ = false;
};

}  // namespace

Result<MediaFacts> CleanGif(Input& in, Rewriter& out) {
  return GifCleaner(in, out).Run();
}

}  // namespace parley::features::clean
