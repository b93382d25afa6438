// Signatures of tokens: the three algorithms that a tenant may use (RFC 7518 §3.2 and §3.3, RFC 8037 §3.1).
// The library behind it (OpenSSL) stays in the .cc. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::accounts {

enum class JwtAlg { kHs256, kEdDsa, kRs256 };

// RFC 7518 requires an HS256 secret as long as the hash and RSA keys of at least 2048 bits; the upper bound
// keeps a check short.
inline constexpr size_t kHs256SecretBytesMin = 32;
inline constexpr int kRsaBitsMin = 2048;
inline constexpr int kRsaBitsMax = 8192;

// A key of a tenant's record.
struct VerifyKey {
  JwtAlg alg = JwtAlg::kHs256;
  std::string key;  // the secret's bytes, or a PEM "PUBLIC KEY"
  std::string kid;  // empty: the key is tried for tokens with any key id, or none
};

// The name of an algorithm in a token's header.
std::string_view JwtAlgName(JwtAlg alg);

// Whether the key can verify anything: the right kind for its algorithm, and long enough. Call when a
// tenant's record is written; a key that is not usable verifies nothing.
bool IsUsable(const VerifyKey& key);

// Compares in time that does not depend on where bytes differ.
bool VerifySignature(const VerifyKey& key, std::string_view input, std::string_view signature);

}  // namespace parley::accounts
