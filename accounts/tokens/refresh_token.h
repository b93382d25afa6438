// Refresh tokens and their families. A family is everything that comes from one sign-in: its refresh tokens,
// each of which is used once and creates the next one, and the access tokens made along with them, which name
// it (`sid`). The item of its first token represents the family: whether it is live, and the claims of its
// access tokens. That item stays as long as any token of the family.
//
//   live -> void, final: given up, used a second time, the oldest of too many, or older than the user's
//   last
//           void (Standing::voids)
//
// The reply to a renewal may be lost on its way, so for some seconds a second use of the token gets the reply
// of the first, unless the token that the first one made was used already. The reply is stored for that,
// sealed, in an item of its own, which expires.
//
// Each decision is complete and ends with its commit. Thread contract: reads on any thread, decisions on the
// writer's. A renewal: FindRefreshToken (any thread) -> Proves and PrepareSecret, elsewhere (slow_proofs.h)
// -> RenewTokens (the writer's).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounts/records/records.h"
#include "accounts/users/secret.h"
#include "accounts/users/user.h"
#include "accounts/users/user_standing.h"

namespace parley::accounts {

inline constexpr int64_t kRefreshTokenMs = int64_t{30} * 24 * 3600 * 1000;
inline constexpr size_t kLiveFamiliesMax = 100;  // per user; beyond it the oldest is ended
inline constexpr int64_t kAccessTokenSecondsMax = 24 * 3600;
inline constexpr int64_t kAccessTokenSeconds = 3600;  // the default

// The request of a sign-in. Only services choose role, lifetime and scope.
struct SignIn {
  protocol::UserId user;
  std::optional<UserRole> role = {};  // none: the role in the user's record at each check
  int64_t ttl_seconds = kAccessTokenSeconds;
  std::string scope = {};   // one that jwt.h accepts
  std::string key_id = {};  // the API key that was used, if any
};
// The content of an access token (access_token.h), besides the refresh token.
struct Grant {
  protocol::UserId user;
  std::string family_id;
  UserRole role = UserRole::kMember;
  UserAttributes attributes;
  std::string scope;
  int64_t ttl_seconds = kAccessTokenSeconds;
  protocol::Time refresh_expires_at;
};

struct SignedIn {
  Grant grant;
  std::vector<SessionsToEnd> ends;  // the evicted family's
};
// `first`: PrepareSecret(kRefreshTokenPrefix, …). FORBIDDEN: the user is suspended. UNAUTHENTICATED: the API
// key was deleted.
protocol::Result<SignedIn> IssueTokens(RecordTransaction& tx, const SignIn& asked, const NewSecret& first);

struct FoundRefreshToken {
  protocol::TenantId tenant;
  protocol::UserId user;
  std::string token_id;
  SecretProof proof;
};
// UNAUTHENTICATED: unknown token. Also finds used tokens, which RenewTokens must detect.
protocol::Result<FoundRefreshToken> FindRefreshToken(const storage::Reader& reader, std::string_view secret,
                                                     protocol::Time now, const storage::Sealer& sealer);

struct RenewalTerms {
  int64_t grace_seconds = 0;  // a used token gets its reply again for this long
  // Makes the reply to a renewal, as text, which is stored and returned unchanged.
  std::function<std::string(const Grant&, protocol::Time now)> answer = [](const Grant&, protocol::Time) {
    return std::string();
  };
};
struct Renewal {
  std::optional<std::string> answer;  // to this renewal, or the repeated one's; none: UNAUTHENTICATED
  std::optional<Grant> grant;         // none for a repeated renewal
  std::optional<SessionsToEnd> ends;  // the family that a second use made void
};
// `next`: as `first` above. FORBIDDEN: the user is suspended; the token stays valid. REQUIRES: the token's
// secret was proven.
protocol::Result<Renewal> RenewTokens(RecordTransaction& tx, const FoundRefreshToken& token,
                                      const NewSecret& next, const RenewalTerms& terms = {});
// Makes the token's family void; returns nullopt if it was already. REQUIRES: as above.
protocol::Result<std::optional<SessionsToEnd>> RevokeTokens(RecordTransaction& tx,
                                                            const FoundRefreshToken& token);
// Makes the families of an API key void; DeleteApiKey commits it.
protocol::Result<std::vector<SessionsToEnd>> RevokeTokensOfKey(RecordTransaction& tx,
                                                               const protocol::UserId& user,
                                                               std::string_view key_id);

// A family with the facts by which access tokens are judged.
struct Family {
  std::optional<UserRole> role;  // none: the role in the user's record
};
// Returns nullopt if the family is unknown or void. One point read.
protocol::Result<std::optional<Family>> FindLiveFamily(const RecordReads& reads, const protocol::UserId& user,
                                                       std::string_view family_id,
                                                       const UserStanding& standing);

}  // namespace parley::accounts
