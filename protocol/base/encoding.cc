#include "protocol/base/encoding.h"

#include <openssl/evp.h>

#include <array>

namespace parley::protocol {
namespace {

constexpr uint8_t kNoBase64Digit = 0xff;
using Base64Digits = std::array<uint8_t, 256>;

constexpr Base64Digits DigitsWith(char next_to_last, char last) {
  Base64Digits digits{};
  digits.fill(kNoBase64Digit);
  uint8_t value = 0;
  for (char c = 'A'; c <= 'Z'; ++c) digits[static_cast<uint8_t>(c)] = value++;
  for (char c = 'a'; c <= 'z'; ++c) digits[static_cast<uint8_t>(c)] = value++;
  for (char c = '0'; c <= '9'; ++c) digits[static_cast<uint8_t>(c)] = value++;
  digits[static_cast<uint8_t>(next_to_last)] = value++;
  digits[static_cast<uint8_t>(last)] = value;
  return digits;
}
constexpr Base64Digits kStandardDigits = DigitsWith('+', '/');
constexpr Base64Digits kUrlDigits = DigitsWith('-', '_');

constexpr bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~").find(c) != std::string_view::npos;
}

// `rest` receives the bits that follow the last byte.
bool DecodeBase64(std::string_view text, const Base64Digits& digits, std::string* out, uint32_t* rest) {
  out->clear();
  out->reserve(text.size() / 4 * 3 + 2);
  uint32_t buffer = 0;
  int bits = 0;
  for (const char c : text) {
    const uint8_t digit = digits[static_cast<uint8_t>(c)];
    if (digit == kNoBase64Digit) return false;
    buffer = buffer << 6 | digit;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    *out += static_cast<char>(buffer >> bits);
  }
  *rest = buffer & ((1u << bits) - 1);
  return true;
}

}  // namespace

std::string Hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

void AppendBase64(std::string_view bytes, std::string* out) {
  if (bytes.empty()) return;
  const size_t before = out->size(), size = (bytes.size() + 2) / 3 * 4;
  out->resize(before + size + 1);  // OpenSSL ends the text with a 0
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out->data() + before),
                  reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out->resize(before + size);
}

std::string Base64(std::string_view bytes) {
  std::string out;
  AppendBase64(bytes, &out);
  return out;
}

bool FromBase64(std::string_view text, std::string* out) {
  if (text.size() % 4 != 0) return false;
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  uint32_t rest = 0;
  return DecodeBase64(text, kStandardDigits, out, &rest);
}

std::string Base64Url(std::string_view bytes) {
  std::string out = Base64(bytes);
  while (out.ends_with('=')) out.pop_back();
  for (char& c : out) c = c == '+' ? '-' : c == '/' ? '_' : c;
  return out;
}

bool FromBase64Url(std::string_view text, std::string* out) {
  out->clear();
  uint32_t rest = 0;
  return text.size() % 4 != 1 && DecodeBase64(text, kUrlDigits, out, &rest) && rest == 0;
}

void AppendPercentEncoded(std::string_view text, std::string_view plain, std::string* out) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  for (const char c : text) {
    if (IsUnreserved(c) || plain.find(c) != std::string_view::npos) {
      *out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    *out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
}

std::string UuidText(std::string bytes, uint8_t version) {
  bytes[6] = static_cast<char>((bytes[6] & 0x0f) | version << 4);
  bytes[8] = static_cast<char>((bytes[8] & 0x3f) | 0x80);
  std::string text = Hex(bytes);
  for (const size_t at : {8u, 13u, 18u, 23u}) text.insert(at, 1, '-');
  return text;
}

}  // namespace parley::protocol
