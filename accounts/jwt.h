// User tokens: JSON Web Tokens in compact form (RFC 7515 §3.1, RFC 7519), read as strictly as the best
// practices (RFC 8725) demand. Pure functions, any thread; time is passed in as an argument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "accounts/jwt_crypto.h"

namespace parley::accounts {

inline constexpr size_t kTokenBytesMax = 8 * 1024;
inline constexpr int kTokenJsonDepthMax = 8;
inline constexpr size_t kTokenAttrsMax = 32;
inline constexpr size_t kTokenStringBytesMax = 1024;  // scope, an attribute's value

inline constexpr int64_t kTokenSkewSeconds = 60;            // how far another clock may be ahead of ours
inline constexpr int64_t kTokenLifeSecondsMax = 24 * 3600;  // from `iat` to `exp`

// The only accepted audience; a token for another one is rejected (RFC 7519 §4.1.3).
inline constexpr std::string_view kTokenAudience = "parley";

using AttrValue = std::variant<bool, int64_t, std::string>;

struct Claims {
  std::string sub;              // user id: 1 to 64 of A-Za-z0-9_.:-
  std::string tid;              // tenant id, the same characters
  std::string role = "member";  // member, admin, support, moderator or bot
  int64_t exp_s = 0;            // Unix seconds; the first second in which the token is no longer valid
  std::optional<int64_t> iat_s;
  std::optional<int64_t> nbf_s;
  std::string scope;                       // a scope that IsKnownScope accepts
  std::string sid;                         // the family of a token that we made (tokens/refresh_token.h)
  std::string kid;                         // the id of the key that signed it, from the tenant's record
  std::map<std::string, AttrValue> attrs;  // adult, idVerified, …

  bool operator==(const Claims&) const = default;
};

// In order of precedence: of several faults the first is reported, and no fault of the payload unless the
// signature is valid.
enum class TokenFault {
  kMalformed,  // not three parts of base64url, not JSON, a duplicate key, too long or deep, `crit` in the
               // header
  kWrongAlgorithm,  // `none`, missing, or not the algorithm of any of the tenant's keys
  kBadSignature,    // the key for the token (KeyOf) did not sign it, or does not exist
  kBadClaim,        // a claim that is missing, of the wrong type or out of bounds; another audience
  kTooLong,         // no `iat`, or a longer life than a day
  kNotYetValid,     // nbf or iat is more than a minute ahead
  kExpired,         // now >= exp, no leeway
};

// The known scopes: empty and "full" allow everything that the user may do, "read" only
// reads.
bool IsKnownScope(std::string_view scope);

struct TokenRules {
  bool bounded_life = true;  // false, for the demo tenant: `iat` may be missing, and life be long
};

inline constexpr std::string_view kOwnKid = "parley";  // for the tokens that we issue

// Returns the tenant's only key that may check a token, or nullptr if none may or the token is unreadable.
// With a `kid` it is the key of that id; without one it is the only key of the token's algorithm, our own
// (kOwnKid) only if there is no other. So a token without `kid` is rejected if several keys may have signed
// it.
const VerifyKey* KeyOf(std::string_view token, std::span<const VerifyKey> keys);

// VerifySignature, or a cache in front of it.
using SignatureCheck =
    std::function<bool(const VerifyKey& key, std::string_view input, std::string_view signature)>;

// Checks a token against the keys of the tenant that it names (see UnverifiedTenant). The algorithm is the
// key's; the header's must merely agree. Costs at most one signature check.
std::variant<Claims, TokenFault> VerifyToken(std::string_view token, std::span<const VerifyKey> keys,
                                             int64_t now_s, TokenRules rules = {},
                                             const SignatureCheck& check = VerifySignature);

// Returns the tenant that a token claims, to find that tenant's keys. Do not use it for anything else before
// VerifyToken succeeds.
std::optional<std::string> UnverifiedTenant(std::string_view token);

// Makes a token with these claims for our audience. REQUIRES: secret.size() >= kHs256SecretBytesMin, and
// claims that VerifyToken would accept.
std::string SignHs256(const Claims& claims, std::string_view secret, std::string_view kid = {});

// A few words for logs and developers.
std::string_view Describe(TokenFault fault);

}  // namespace parley::accounts
