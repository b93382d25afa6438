// Reads numbers and short pieces of a file through a window, so that many small reads cost few large ones.
//
// Thread contract: blocking; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "features/files/clean/bytes.h"
#include "protocol/base/result.h"

namespace parley::features::clean {

// UNSUPPORTED_TYPE: the file is malformed in a way that can hide metadata.
protocol::Error CannotBeCleaned();

// REQUIRES: the bytes are there.
uint16_t Big16(std::string_view bytes, size_t at = 0);
uint32_t Big32(std::string_view bytes, size_t at = 0);
uint64_t Big64(std::string_view bytes, size_t at = 0);
uint32_t Little32(std::string_view bytes, size_t at = 0);
inline uint8_t Byte(std::string_view bytes, size_t at = 0) {
  return static_cast<uint8_t>(bytes[at]);
}
std::string BigText32(uint32_t value);
std::string LittleText32(uint32_t value);

class Input {
 public:
  static constexpr size_t kWindow = size_t{64} << 10;
  // `window`: the size of a read. The reader must outlive this object.
  explicit Input(ByteReader& reader, size_t window = kWindow) : reader_(reader), window_size_(window) {}

  ByteReader& reader() const { return reader_; }
  int64_t size() const { return reader_.size(); }
  // The bytes [at, at + size), valid until the next call; UNSUPPORTED_TYPE if the file ends before.
  // REQUIRES: at >= 0, size <= the window.
  protocol::Result<std::string_view> Bytes(int64_t at, size_t size);
  // One or more bytes from `at` on, without another read if the window has one. REQUIRES: at < size().
  protocol::Result<std::string_view> Some(int64_t at);
  protocol::Result<uint32_t> Big32At(int64_t at);

 private:
  ByteReader& reader_;
  const size_t window_size_;
  std::string window_;
  int64_t window_at_ = 0;
};

}  // namespace parley::features::clean
