// PNG (ISO/IEC 15948): after the signature, chunks of u32 length, type, data and CRC, from IHDR to IEND.
//
// Kept: the chunks that change the pixels' colours, their order or their shape, as they are. `eXIf` is cut to
// the orientation. Everything after IEND is dropped.
#include <algorithm>
#include <array>
#include <iterator>

#include "features/files/clean/exif.h"
#include "features/files/clean/formats.h"

namespace parley::features::clean {
namespace {

using namespace std::literals;
using protocol::Ok;
using protocol::Result;
using protocol::Status;

constexpr std::string_view kPngKept[] = {"IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA",
                                         "iCCP", "sRGB", "cICP", "mDCV", "mDCv", "cLLI", "cLLi",
                                         "sBIT", "bKGD", "pHYs", "acTL", "fcTL", "fdAT"};
constexpr int64_t kPngFrame = 12;  // length, type and CRC

constexpr std::array<uint32_t, 256> MakeCrcTable() {
  std::array<uint32_t, 256> out{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0xedb88320u : 0u);
    out[i] = value;
  }
  return out;
}
constexpr std::array<uint32_t, 256> kCrcTable = MakeCrcTable();

uint32_t CrcOf(std::string_view bytes) {
  uint32_t crc = ~0u;
  for (const char byte : bytes) crc = kCrcTable[(crc ^ static_cast<uint8_t>(byte)) & 0xff] ^ crc >> 8;
  return ~crc;
}

std::string PngChunk(const std::string& type, const std::string& data) {
  return BigText32(static_cast<uint32_t>(data.size())) + type + data + BigText32(CrcOf(type + data));
}

class PngCleaner {
 public:
  PngCleaner(Input& in, Rewriter& out) : in_(in), out_(out) {}

  Result<MediaFacts> Run() {
    PARLEY_TRY(start, in_.Bytes(0, 8));
    if (start != "\x89PNG\r\n\x1a\n"sv) return CannotBeCleaned();
    PARLEY_CHECK_OK(out_.KeepTo(8));
    while (!ended_) PARLEY_CHECK_OK(TakeChunk());
    PARLEY_CHECK_OK(out_.DropTo(in_.size()));
    MediaFacts facts;
    SetSize(w_, h_, orientation_, &facts);
    return facts;
  }

 private:
  Status TakeChunk() {
    const int64_t begin = out_.at();
    PARLEY_TRY(head, in_.Bytes(begin, 8));
    const uint32_t size = Big32(head);
    const std::string type(head.substr(4));
    if (size > INT32_MAX) return CannotBeCleaned();
    const int64_t end = begin + kPngFrame + size;
    if (end > in_.size()) return CannotBeCleaned();
    if (begin == 8 || type == "IHDR") PARLEY_CHECK_OK(TakeHeader(begin, type, size));
    if (type == "eXIf") return TakeExif(begin + 8, size, end);
    ended_ = type == "IEND";
    if (ended_ && size > 0) return CannotBeCleaned();
    if (std::find(std::begin(kPngKept), std::end(kPngKept), type) != std::end(kPngKept))
      return out_.KeepTo(end);
    const bool is_critical = (Byte(type) & 0x20) == 0;
    return is_critical ? Status(CannotBeCleaned()) : out_.DropTo(end);
  }

  Status TakeHeader(int64_t begin, std::string_view type, uint32_t size) {
    if (begin != 8 || type != "IHDR" || size != 13) return CannotBeCleaned();
    PARLEY_TRY(sides, in_.Bytes(begin + 8, 8));
    w_ = Big32(sides, 0);
    h_ = Big32(sides, 4);
    return Ok();
  }

  Status TakeExif(int64_t body, uint32_t size, int64_t end) {
    if (exif_seen_) return out_.DropTo(end);
    exif_seen_ = true;
    PARLEY_TRY(data, in_.Bytes(body, std::min<size_t>(size, kExifBytesMax)));
    orientation_ = OrientationOf(data);
    const std::string tiff = MinimalExif(orientation_);
    return out_.ReplaceTo(end, tiff.empty() ? tiff : PngChunk("eXIf", tiff));
  }

  Input& in_;
  Rewriter& out_;
  int64_t w_ = 0, h_ = 0;
  int orientation_ = 1;
  bool exif_seen_ = false, ended_ = false;
};

}  // namespace

Result<MediaFacts> CleanPng(Input& in, Rewriter& out) {
  return PngCleaner(in, out).Run();
}

}  // namespace parley::features::clean
