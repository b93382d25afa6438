#include "accounts/users/secret.h"

#include <algorithm>

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"

namespace parley::accounts {
namespace {

constexpr protocol::ScryptCost kCost{16384, 8, 1};
constexpr size_t kSecretBytes = kSecretDigits / 2;
constexpr size_t kSaltBytes = 16;
constexpr size_t kProofBytes = 64;
constexpr size_t kUuidRandomBytes = 16;
constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string ProofOf(std::string_view secret, std::string_view salt) {
  return protocol::Base64(protocol::Scrypt(secret, salt, kCost, kProofBytes));
}

// RFC 9562, version 7: the time comes first, so that ids are in order of creation.
std::string NewUuid(protocol::Time now, std::string bytes) {
  for (size_t i = 0; i < 6; ++i) bytes[i] = static_cast<char>(now.ms >> (8 * (5 - i)));
  return protocol::UuidText(std::move(bytes), 7);
}

}  // namespace

NewSecret PrepareSecret(std::string_view prefix, protocol::Time now, const RandomSource& random) {
  NewSecret out;
  out.secret = std::string(prefix) + protocol::Hex(random(kSecretBytes));
  out.id = NewUuid(now, random(kUuidRandomBytes));
  out.lookup_hash = LookupHashOf(out.secret);
  const std::string salt = random(kSaltBytes);
  out.proof = {protocol::Base64(salt), ProofOf(out.secret, salt)};
  return out;
}

bool IsSecret(std::string_view prefix, std::string_view text) {
  if (text.size() != prefix.size() + kSecretDigits || !text.starts_with(prefix)) return false;
  return text.find_first_not_of(kHexDigits, prefix.size()) == std::string_view::npos;
}

std::string LookupHashOf(std::string_view secret) {
  return protocol::Hex(protocol::Sha256(secret));
}

bool Proves(std::string_view secret, const SecretProof& proof) {
  std::string salt;
  if (!protocol::FromBase64(proof.salt, &salt)) return false;
  return protocol::ConstantTimeEqual(ProofOf(secret, salt), proof.proof);
}

}  // namespace parley::accounts
