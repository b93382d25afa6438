// Signatures of tokens: the three algorithms that a tenant may use (RFC 7518 §3.2 and §3.3, RFC 8037 §3.1).
// Only the .cc includes the library (OpenSSL). Any thread.
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
// A check takes as many multiplications as the exponent has bits. A key with a longer exponent, which is
// never needed, would make each forged token cost a thousand times the usual check.
inline constexpr int kRsaExponentBitsMax = 32;

class PublicKey;  // parsed

// A key in a tenant's record.
struct VerifyKey {
  JwtAlg alg = JwtAlg::kHs256;
  std::string key;                               // the secret's bytes, or a PEM "PUBLIC KEY"
  std::string kid;                               // empty: for tokens whose key id is unknown or missing
  std::shared_ptr<const PublicKey> parsed = {};  // Prepare sets it; copies share it
};

// The name of an algorithm in a token's header.
std::string_view JwtAlgName(JwtAlg alg);

// Whether the key can verify anything: the right kind for its algorithm, long enough, and with an exponent
// that is not too long. An unusable key verifies nothing.
bool IsUsable(const VerifyKey& key);
// The same, and parses a public key, once for all checks by it. Call it when a tenant's record is written or
// read.
bool Prepare(VerifyKey* key);

// A prepared public key's fingerprint: equal for equal keys only. Empty for others.
std::string_view FingerprintOf(const VerifyKey& key);

// Compares in constant time. A public key that was not prepared is parsed for each
// check.
bool VerifySignature(const VerifyKey& key, std::string_view input, std::string_view signature);

}  // namespace parley::accounts
