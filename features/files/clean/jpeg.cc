// JPEG (ITU-T T.81 Annex B): segments of marker, u16 length and payload, and after each SOS the coded pixels
// up to the next marker.
//
// Kept: the parts that decoding needs. APP0 "JFIF" and APP14 "Adobe" are cut to the fields that decoders
// read, APP1 "Exif" to the orientation. Bytes between segments and after EOI are dropped, as decoders skip
// them; this removes pictures and videos that phones append (MPF, motion photos).
#include <algorithm>

#include "features/files/clean/exif.h"
#include "features/files/clean/formats.h"

namespace parley::features::clean {
namespace {

using namespace std::literals;
using protocol::Ok;
using protocol::Result;
using protocol::Status;

enum JpegMarker : int {
  kTem = 0x01,
  kSof0 = 0xc0,
  kDht = 0xc4,
  kJpg = 0xc8,
  kDac = 0xcc,
  kSof15 = 0xcf,
  kRst0 = 0xd0,
  kRst7 = 0xd7,
  kEoi = 0xd9,
  kSos = 0xda,
  kExp = 0xdf,
  kApp0 = 0xe0,
  kApp1 = 0xe1,
  kApp2 = 0xe2,
  kApp14 = 0xee,
  kApp15 = 0xef,
  kCom = 0xfe,
};

bool IsRestart(int code) {
  return code >= kRst0 && code <= kRst7;
}

class JpegCleaner {
 public:
  JpegCleaner(Input& in, Rewriter& out) : in_(in), out_(out) {}

  Result<MediaFacts> Run() {
    PARLEY_TRY(start, in_.Bytes(0, 2));
    if (start != "\xff\xd8"sv) return CannotBeCleaned();
    PARLEY_CHECK_OK(out_.KeepTo(2));
    while (out_.at() < in_.size()) {
      PARLEY_TRY(code, FindMarker());
      if (code == kEoi) break;
      PARLEY_CHECK_OK(Take(code));
    }
    if (!scan_seen_) return CannotBeCleaned();
    PARLEY_CHECK_OK(out_.DropTo(in_.size()));
    MediaFacts facts;
    SetSize(w_, h_, orientation_, &facts);
    return facts;
  }

 private:
  // Finds the next marker, at which the rewriter then is; kEoi also at the end of the file.
  Result<int> FindMarker() {
    PARLEY_TRY(at, MarkerAfter(out_.at(), false));
    if (at == in_.size()) return static_cast<int>(kEoi);
    PARLEY_CHECK_OK(out_.DropTo(at));
    PARLEY_TRY(marker, in_.Bytes(at, 2));
    const int code = Byte(marker, 1);
    if (code == kEoi) PARLEY_CHECK_OK(out_.KeepTo(at + 2));
    return code;
  }

  // The offset of the next FF that begins a marker, or the file's size. Between coded pixels, restart markers
  // are none.
  Result<int64_t> MarkerAfter(int64_t at, bool in_scan) {
    bool after_ff = false;
    while (at < in_.size()) {
      PARLEY_TRY(some, in_.Some(at));
      for (size_t i = 0; i < some.size(); ++i) {
        const int code = Byte(some, i);
        if (after_ff && code != 0 && code != 0xff && !(in_scan && IsRestart(code)))
          return at + static_cast<int64_t>(i) - 1;
        after_ff = code == 0xff;
        if (!after_ff) i = std::min(some.find('\xff', i + 1), some.size()) - 1;
      }
      at += static_cast<int64_t>(some.size());
    }
    return at;
  }

  Status Take(int code) {
    if (code == kTem || IsRestart(code)) return out_.DropTo(out_.at() + 2);
    const bool is_frame = code >= kSof0 && code <= kExp && code != kJpg;
    if (!is_frame && !(code >= kApp0 && code <= kApp15) && code != kCom) return CannotBeCleaned();
    if (code > kRst7 && code < kSos) return CannotBeCleaned();  // a second SOI
    PARLEY_TRY(length, in_.Bytes(out_.at() + 2, 2));
    const size_t size = Big16(length);
    if (size < 2) return CannotBeCleaned();
    PARLEY_TRY(view, in_.Bytes(out_.at() + 4, size - 2));
    const int64_t end = out_.at() + 2 + static_cast<int64_t>(size);
    if (!is_frame) return TakeMetadata(code, view, end);
    if (code <= kSof15 && code != kDht && code != kDac) TakeFrame(view);
    PARLEY_CHECK_OK(out_.KeepTo(end));
    return code == kSos ? TakeScan() : Ok();
  }

  void TakeFrame(std::string_view payload) {
    if (w_ > 0 || payload.size() < 5) return;
    h_ = Big16(payload, 1);
    w_ = Big16(payload, 3);
  }

  Status TakeMetadata(int code, std::string_view payload, int64_t end) {
    if (code == kApp0 && payload.starts_with("JFIF\0"sv) && payload.size() >= 14 && !jfif_seen_) {
      jfif_seen_ = true;  // the thumbnail begins with its size, 0 by 0
      return out_.ReplaceTo(end, "\xff\xe0\0\x10"s + std::string(payload.substr(0, 12)) + "\0\0"s);
    }
    if (code == kApp14 && payload.starts_with("Adobe"sv) && payload.size() >= 12 && !adobe_seen_) {
      adobe_seen_ = true;
      return out_.ReplaceTo(end, "\xff\xee\0\x0e"s + std::string(payload.substr(0, 12)));
    }
    if (code == kApp2 && payload.starts_with("ICC_PROFILE\0"sv)) return out_.KeepTo(end);
    if (code == kApp1 && payload.starts_with("Exif\0\0"sv) && !exif_seen_) {
      exif_seen_ = true;
      orientation_ = OrientationOf(payload);
      const std::string tiff = MinimalExif(orientation_);
      return out_.ReplaceTo(end, tiff.empty() ? tiff : "\xff\xe1\0\x22"s + "Exif\0\0"s + tiff);
    }
    return out_.DropTo(end);
  }

  Status TakeScan() {
    scan_seen_ = true;
    PARLEY_TRY(end, MarkerAfter(out_.at(), true));
    return out_.KeepTo(end);
  }

  Input& in_;
  Rewriter& out_;
  int64_t w_ = 0, h_ = 0;
  int orientation_ = 1;
  bool jfif_seen_ = false, adobe_seen_ = false, exif_seen_ = false, scan_seen_ = false;
};

}  // namespace

Result<MediaFacts> CleanJpeg(Input& in, Rewriter& out) {
  return JpegCleaner(in, out).Run();
}

}  // namespace parley::features::clean
