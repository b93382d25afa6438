// Signatures of tokens: the three algorithms that a tenant may use (RFC 7518 §3.2 and §3.3, RFC 8037 §3.1).
// The library behind it (OpenSSL) stays in the .cc. Any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace parley::accounts {

enum class JwtAlg { kHs256, kEdDsa, kRs256 };

// RFC 7518 requires an HS256 secret as long as the hash and RSA keys of at least 2048 bits; the upper bound
// keeps a check short.
inline constexpr size_t kHs256SecretBytesMin = 32;
inline constexpr int kRsaBitsMin = 2048;
inline constexpr int kRsaBitsMax = 8192;
// A check takes as many multiplications as the exponent has bits, so keys with a longer one, which nobody
// needs, would let anybody with a forged token cost us a thousand times what a usual key costs.
inline constexpr int kRsaExponentBitsMax = 32;

class PublicKey;  // parsed

// A key of a tenant's record.
struct VerifyKey {
  JwtAlg alg = JwtAlg::kHs256;
  std::string key;  // the secret's bytes, or a PEM "PUBLIC KEY"
  std::string kid;  // empty: it is for tokens whose key id no other key has, and for those without one
  std::shared_ptr<const PublicKey> parsed = {};  // Prepare sets it; copies share it
};

// The name of an algorithm in a token's header.
std::string_view JwtAlgName(JwtAlg alg);

// Whether the key can verify anything: the right kind for its algorithm, long enough, and with an exponent
// that is not too long. A key that is not usable verifies nothing.
bool IsUsable(const VerifyKey& key);
// The same, and parses a public key, once for all checks by it. Call when a tenant's record is written or
// read.
bool Prepare(VerifyKey* key);

// Names a prepared public key: equal for equal keys only. Empty for others.
std::string_view FingerprintOf(const VerifyKey& key);

// Compares in time that does not depend on where bytes differ. A public key that was not prepared is parsed
// for each check.
bool VerifySignature(const VerifyKey& key, std::string_view input, std::string_view signature);

}  // namespace parley::accounts
