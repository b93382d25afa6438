// The frames between the server and parley-media, its helper that makes smaller copies of images. The server
// writes requests to the helper's standard input and reads one reply for each from its standard output.
// Integers are big-endian.
//
//   request = size:u64 bytes[size]                 the file; 1 to kInputBytesMax bytes
//   reply   = size:u32 status:u8 payload[size-1]   size: 1 to kReplyBytesMax
//   payload = reason                               kRefused: ASCII text for the log, at most kReasonBytesMax
//           | w:u32 h:u32 count:u8 copy[count]     kMade: of the file as displayed; 0: has no size in pixels
//   copy    = kind:u8 format:u8 w:u32 h:u32 size:u32 bytes[size]
//
// The helper ends at the end of its input, or at a request that breaks these rules.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::media {

constexpr uint64_t kInputBytesMax = uint64_t{256} << 20;
constexpr uint32_t kReplyBytesMax = uint32_t{16} << 20;
constexpr size_t kReasonBytesMax = 200;
constexpr size_t kRequestHeadBytes = 8, kReplyHeadBytes = 4;

constexpr uint64_t kPixelsMax = 100'000'000;  // declared by the file
constexpr int kPreviewPixels = 1600, kThumbPixels = 320, kBlurredPixels = 24;
// The processor time and the wall time for one file. The server waits longer before it kills the helper.
constexpr unsigned kSecondsMax = 25;

enum class Status : uint8_t { kMade = 0, kRefused = 1 };
enum class Kind : uint8_t { kPreview = 0, kThumb = 1, kBlurred = 2 };
enum class Format : uint8_t { kJpeg = 0, kWebp = 1 };

struct Copy {
  Kind kind = Kind::kPreview;
  Format format = Format::kJpeg;
  uint32_t w = 0, h = 0;
  std::string bytes;
};

struct Image {
  uint32_t w = 0, h = 0;
  std::vector<Copy> copies;  // each kind at most once
};

template <typename T>
void PutNumber(T number, std::string* out) {
  for (int shift = 8 * (static_cast<int>(sizeof(T)) - 1); shift >= 0; shift -= 8)
    out->push_back(static_cast<char>(static_cast<unsigned char>(number >> shift)));
}

// Takes a number from the beginning of `bytes`. Returns false if they are too few.
template <typename T>
bool TakeNumber(std::string_view* bytes, T* number) {
  if (bytes->size() < sizeof(T)) return false;
  uint64_t value = 0;
  for (size_t at = 0; at < sizeof(T); ++at) value = value << 8 | static_cast<unsigned char>((*bytes)[at]);
  *number = static_cast<T>(value);
  bytes->remove_prefix(sizeof(T));
  return true;
}

// The reply without its size.
inline std::string EncodeMade(const Image& image) {
  std::string out(1, static_cast<char>(Status::kMade));
  PutNumber(image.w, &out);
  PutNumber(image.h, &out);
  PutNumber(static_cast<uint8_t>(image.copies.size()), &out);
  for (const Copy& copy : image.copies) {
    PutNumber(static_cast<uint8_t>(copy.kind), &out);
    PutNumber(static_cast<uint8_t>(copy.format), &out);
    PutNumber(copy.w, &out);
    PutNumber(copy.h, &out);
    PutNumber(static_cast<uint32_t>(copy.bytes.size()), &out);
    out += copy.bytes;
  }
  return out;
}

// The reply without its size; other characters than printable ASCII become '?'.
inline std::string EncodeRefused(std::string_view reason) {
  std::string out(1, static_cast<char>(Status::kRefused));
  for (const char c : reason.substr(0, kReasonBytesMax)) out += c >= ' ' && c <= '~' ? c : '?';
  return out;
}

inline bool TakeCopy(std::string_view* bytes, Copy* out) {
  uint8_t kind = 0, format = 0;
  uint32_t size = 0;
  if (!TakeNumber(bytes, &kind) || !TakeNumber(bytes, &format) || !TakeNumber(bytes, &out->w) ||
      !TakeNumber(bytes, &out->h) || !TakeNumber(bytes, &size))
    return false;
  if (kind > static_cast<uint8_t>(Kind::kBlurred) || format > static_cast<uint8_t>(Format::kWebp))
    return false;
  const auto fits = [](uint32_t pixels) { return pixels > 0 && pixels <= uint32_t{kPreviewPixels}; };
  if (!fits(out->w) || !fits(out->h) || size == 0 || size > bytes->size()) return false;
  out->kind = static_cast<Kind>(kind);
  out->format = static_cast<Format>(format);
  out->bytes = bytes->substr(0, size);
  bytes->remove_prefix(size);
  return true;
}

// Decodes the payload of kMade. Returns false, with `out` in any state, if it breaks the rules above.
inline bool DecodeMade(std::string_view payload, Image* out) {
  uint8_t count = 0;
  if (!TakeNumber(&payload, &out->w) || !TakeNumber(&payload, &out->h) || !TakeNumber(&payload, &count))
    return false;
  if (uint64_t{out->w} * out->h > kPixelsMax) return false;
  unsigned seen = 0;
  out->copies.clear();
  for (uint8_t at = 0; at < count; ++at) {
    Copy copy;
    if (!TakeCopy(&payload, &copy)) return false;
    const unsigned bit = 1U << static_cast<unsigned>(copy.kind);
    if (seen & bit) return false;
    seen |= bit;
    out->copies.push_back(std::move(copy));
  }
  return payload.empty();
}

}  // namespace parley::media
