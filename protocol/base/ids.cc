#include "protocol/base/ids.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "protocol/base/crypto.h"

namespace parley::protocol {
namespace {

constexpr std::string_view kCrockfordAlphabet =
    "0123456789abcdefghjkmnpqrstvwxyz";  // Crockford: no i, l, o, u

constexpr std::array<int8_t, 256> MakeReverse() {
  std::array<int8_t, 256> reverse{};
  for (auto& value : reverse) value = -1;
  for (size_t i = 0; i < kCrockfordAlphabet.size(); ++i)
    reverse[static_cast<uint8_t>(kCrockfordAlphabet[i])] = static_cast<int8_t>(i);
  return reverse;
}
constexpr auto kReverse = MakeReverse();

class SecureIdSource final : public IdSource {
  std::unique_ptr<IdSource> Another() override { return NewSecureIdSource(); }
  void FillRandom(uint8_t* at, size_t size) override { RandomBytes(at, size); }
};

class SeededIdSource final : public IdSource {
 public:
  explicit SeededIdSource(uint64_t seed) : engine_(seed) {}
  std::unique_ptr<IdSource> Another() override { return NewSeededIdSource(engine_()); }

 private:
  void FillRandom(uint8_t* at, size_t size) override {
    for (size_t i = 0; i < size; ++i) at[i] = static_cast<uint8_t>(engine_());
  }
  std::mt19937_64 engine_;
};

}  // namespace

Time Ulid::time() const {
  int64_t ms = 0;
  for (int i = 0; i < 6; ++i) ms = ms << 8 | bytes[static_cast<size_t>(i)];
  return Time{ms};
}

std::string Ulid::ToText() const {
  // 26 characters encode 130 bits; the top two are zero.
  std::string out(kTextSize, '0');
  unsigned buffer = 0;
  int bits = 2;
  size_t at = 0;
  for (uint8_t byte : bytes) {
    buffer = buffer << 8 | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out[at++] = kCrockfordAlphabet[buffer >> bits & 31];
    }
  }
  return out;
}

std::optional<Ulid> Ulid::FromText(std::string_view text) {
  if (text.size() != kTextSize) return std::nullopt;
  Ulid out;
  unsigned buffer = 0;
  int bits = -2;
  size_t at = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const int digit = kReverse[static_cast<uint8_t>(text[i])];
    if (digit < 0 || (i == 0 && digit > 7)) return std::nullopt;
    buffer = buffer << 5 | static_cast<unsigned>(digit);
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      out.bytes[at++] = static_cast<uint8_t>(buffer >> bits);
    }
  }
  return out;
}

std::optional<Ulid> Ulid::FromBytes(std::string_view raw) {
  Ulid out;
  if (raw.size() != out.bytes.size()) return std::nullopt;
  std::memcpy(out.bytes.data(), raw.data(), raw.size());
  return out;
}

Ulid Ulid::Next() const {
  Ulid out = *this;
  for (size_t i = out.bytes.size(); i-- > 0;) {
    if (++out.bytes[i] != 0) break;
  }
  return out;
}

bool IsTenantChosenId(std::string_view text) {
  if (text.empty() || text.size() > 64) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == ':' || c == '-';
  });
}

std::optional<ClientId> ClientId::FromText(std::string_view text) {
  if (text.empty() || text.size() > 64) return std::nullopt;
  if (!std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c <= 0x7e; }))
    return std::nullopt;
  return ClientId{KeyText::UpToNul(text)};
}

Ulid IdSource::Make(Time now) {
  if (!last_.empty() && last_.time() == now) {
    const Ulid next = last_.Next();
    if (next.time() == now)
      return last_ = next;  // otherwise this millisecond's randomness is used up: draw again
  }
  Ulid fresh;
  for (int i = 0; i < 6; ++i)
    fresh.bytes[static_cast<size_t>(i)] = static_cast<uint8_t>(now.ms >> (40 - 8 * i));
  FillRandom(fresh.bytes.data() + 6, 10);
  fresh.bytes[6] &= 0x7f;  // leave room to count upwards within the millisecond
  return last_ = fresh;
}

std::unique_ptr<IdSource> NewSecureIdSource() {
  return std::make_unique<SecureIdSource>();
}
std::unique_ptr<IdSource> NewSeededIdSource(uint64_t seed) {
  return std::make_unique<SeededIdSource>(seed);
}

}  // namespace parley::protocol
