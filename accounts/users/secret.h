// Secrets that are shown once: a user's API keys and refresh tokens. The store has a hash to look one up, and
// a slow, salted hash that proves it; both are useless to a reader of the store.
//
//   secret       prefix and 64 hexadecimal digits: "pak_", "prt_"
//   look-up      SHA-256 of the whole secret, hexadecimal
//   proof        scrypt (N 16384, r 8, p 1) of it with a salt of 16 bytes: 64 bytes; both in base64
//
// Pure functions, any thread; but Prepare and Proves take some 50 ms and 16 MiB, so they have threads of
// their own (tokens/slow_proofs.h).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "protocol/base/time.h"

namespace parley::accounts {

inline constexpr std::string_view kApiKeyPrefix = "pak_";
inline constexpr std::string_view kRefreshTokenPrefix = "prt_";
inline constexpr size_t kSecretDigits = 64;
inline constexpr size_t kShownPrefixBytes = 12;  // the beginning of a key, in lists

using RandomSource = std::function<std::string(size_t)>;

struct SecretProof {
  std::string salt, proof;  // base64
};
// A new secret with everything that is stored of it, made before the decision that stores it.
struct NewSecret {
  std::string secret;
  std::string id;  // a UUID; later ones are greater
  std::string lookup_hash;
  SecretProof proof;
};
NewSecret PrepareSecret(std::string_view prefix, protocol::Time now, const RandomSource& random);

// Whether the text has the form of such a secret; if not, skip the look-up.
bool IsSecret(std::string_view prefix, std::string_view text);
std::string LookupHashOf(std::string_view secret);
bool Proves(std::string_view secret, const SecretProof& proof);

}  // namespace parley::accounts
