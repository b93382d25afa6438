#include "features/files/clean/input.h"

namespace parley::features::clean {

protocol::Error CannotBeCleaned() {
  return {protocol::ErrorCode::kUnsupportedType, "the file is malformed, so its metadata cannot be removed"};
}

uint16_t Big16(std::string_view bytes, size_t at) {
  return static_cast<uint16_t>(Byte(bytes, at) << 8 | Byte(bytes, at + 1));
}

uint32_t Big32(std::string_view bytes, size_t at) {
  return static_cast<uint32_t>(Big16(bytes, at)) << 16 | Big16(bytes, at + 2);
}

uint64_t Big64(std::string_view bytes, size_t at) {
  return static_cast<uint64_t>(Big32(bytes, at)) << 32 | Big32(bytes, at + 4);
}

uint32_t Little32(std::string_view bytes, size_t at) {
  uint32_t out = 0;
  for (size_t i = 4; i > 0; --i) out = out << 8 | Byte(bytes, at + i - 1);
  return out;
}

std::string BigText32(uint32_t value) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
  return out;
}

std::string LittleText32(uint32_t value) {
  std::string out;
  for (int shift = 0; shift <= 24; shift += 8) out += static_cast<char>(value >> shift & 0xff);
  return out;
}

protocol::Result<std::string_view> Input::Bytes(int64_t at, size_t size) {
  const auto wanted = static_cast<int64_t>(size);
  if (at > this->size() || wanted > this->size() - at) return CannotBeCleaned();
  const auto held = static_cast<int64_t>(window_.size());
  if (at < window_at_ || at - window_at_ > held || wanted > held - (at - window_at_)) {
    auto read = reader_.ReadAt(at, window_size_);
    if (!read.ok()) return std::move(read.error());
    window_ = *std::move(read);
    window_at_ = at;
    if (window_.size() < size) return CannotBeCleaned();
  }
  return std::string_view(window_).substr(static_cast<size_t>(at - window_at_), size);
}

protocol::Result<std::string_view> Input::Some(int64_t at) {
  PARLEY_TRY(first, Bytes(at, 1));
  static_cast<void>(first);
  return std::string_view(window_).substr(static_cast<size_t>(at - window_at_));
}

protocol::Result<uint32_t> Input::Big32At(int64_t at) {
  PARLEY_TRY(bytes, Bytes(at, 4));
  return Big32(bytes);
}

}  // namespace parley::features::clean
