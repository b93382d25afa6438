#include "accounts/users/secret.h"

#include <algorithm>

#include "protocol/base/crypto.h"

namespace parley::accounts {
namespace {

constexpr protocol::ScryptCost kCost{16384, 8, 1};
constexpr size_t kSecretBytes = kSecretDigits / 2;
constexpr size_t kSaltBytes = 16;
constexpr size_t kProofBytes = 64;
constexpr size_t kUuidRandomBytes = 16;
constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string LowerHex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    out += kHexDigits[static_cast<unsigned char>(c) >> 4];
    out += kHexDigits[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  for (char& c : text) {
    const size_t at = from.find(c);
    if (at != std::string_view::npos) c = to[at];
  }
  return text;
}

std::string ToBase64(std::string_view bytes) {
  std::string text = Replaced(protocol::Base64Url(bytes), "-_", "+/");
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

bool FromBase64(std::string_view text, std::string* bytes) {
  while (text.ends_with('=')) text.remove_suffix(1);
  return protocol::FromBase64Url(Replaced(std::string(text), "+/", "-_"), bytes);
}

std::string ProofOf(std::string_view secret, std::string_view salt) {
  return ToBase64(protocol::Scrypt(secret, salt, kCost, kProofBytes));
}

// RFC 9562, version 7: the time comes first, so that ids are in order of creation.
std::string NewUuid(protocol::Time now, std::string bytes) {
  for (size_t i = 0; i < 6; ++i) bytes[i] = static_cast<char>(now.ms >> (8 * (5 - i)));
  bytes[6] = static_cast<char>((bytes[6] & 0x0f) | 0x70);
  bytes[8] = static_cast<char>((bytes[8] & 0x3f) | 0x80);
  std::string text = LowerHex(bytes);
  for (const size_t at : {8u, 13u, 18u, 23u}) text.insert(at, 1, '-');
  return text;
}

}  // namespace

NewSecret PrepareSecret(std::string_view prefix, protocol::Time now, const RandomSource& random) {
  NewSecret out;
  out.secret = std::string(prefix) + LowerHex(random(kSecretBytes));
  out.id = NewUuid(now, random(kUuidRandomBytes));
  out.lookup_hash = LookupHashOf(out.secret);
  const std::string salt = random(kSaltBytes);
  out.proof = {ToBase64(salt), ProofOf(out.secret, salt)};
  return out;
}

bool IsSecret(std::string_view prefix, std::string_view text) {
  if (text.size() != prefix.size() + kSecretDigits || !text.starts_with(prefix)) return false;
  return text.find_first_not_of(kHexDigits, prefix.size()) == std::string_view::npos;
}

std::string LookupHashOf(std::string_view secret) {
  return LowerHex(protocol::Sha256(secret));
}

bool Proves(std::string_view secret, const SecretProof& proof) {
  std::string salt;
  if (!FromBase64(proof.salt, &salt)) return false;
  return protocol::ConstantTimeEqual(ProofOf(secret, salt), proof.proof);
}

}  // namespace parley::accounts
