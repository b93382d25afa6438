#include "accounts/base64url.h"

#include <cstdint>

namespace parley::accounts {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

int ValueOf(char c) {
  const size_t at = kAlphabet.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

}  // namespace

std::string EncodeBase64Url(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() * 4 + 2) / 3);
  uint32_t bits = 0;
  int count = 0;  // bits that wait for output, at most 12
  for (const char byte : bytes) {
    bits = (bits << 8) | static_cast<unsigned char>(byte);
    count += 8;
    for (; count >= 6; count -= 6) out.push_back(kAlphabet[(bits >> (count - 6)) & 0x3F]);
  }
  if (count > 0) out.push_back(kAlphabet[(bits << (6 - count)) & 0x3F]);
  return out;
}

std::optional<std::string> DecodeBase64Url(std::string_view text) {
  if (text.size() % 4 == 1) return std::nullopt;
  std::string out;
  out.reserve(text.size() * 3 / 4);
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int value = ValueOf(c);
    if (value < 0) return std::nullopt;
    bits = (bits << 6) | static_cast<uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out.push_back(static_cast<char>((bits >> count) & 0xFF));
  }
  const bool unused_bits_zero = (bits & ((1U << count) - 1)) == 0;
  return unused_bits_zero ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace parley::accounts
