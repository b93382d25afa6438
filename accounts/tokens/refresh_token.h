// Refresh tokens and their families. A family is everything that comes from one sign-in: its refresh
// tokens, each of which is used once and makes the next one, and the access tokens made along with them,
// which name it (`sid`). Its first token's item stands for it: whether it is live, and what its access tokens
// say. That item stays as long as any token of the family.
//
//   live -> void, never back: given up, used a second time, the oldest of too many, or older than the user's
//   last
//           void (Standing::voids)
//
// An answer to a renewal may be lost on its way, so for some seconds a second use of the token is answered as
// the first one was, unless the token that the first one made was used already. The answer is kept for that,
// sealed, in an item of its own, which expires.
//
// Each decision is a whole one and ends with its commit. Thread contract: reads on any thread, decisions on
// the writer's. A renewal: FindRefreshToken (any thread) -> Proves and PrepareSecret, elsewhere
// (slow_proofs.h) -> RenewTokens (the writer's).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounts/records/records.h"
#include "accounts/users/secret.h"
#include "accounts/users/standing.h"
#include "accounts/users/user.h"

namespace parley::accounts {

inline constexpr int64_t kRefreshTokenMs = int64_t{30} * 24 * 3600 * 1000;
inline constexpr size_t kLiveFamiliesMax = 100;  // of a user; beyond, the oldest goes
inline constexpr int64_t kAccessTokenSecondsMax = 24 * 3600;
inline constexpr int64_t kAccessTokenSeconds = 3600;  // if nothing is asked for

// What a sign-in asks for. Role, lifetime and scope are a service's to choose.
struct SignIn {
  protocol::UserId user;
  std::optional<UserRole> role = {};  // none: what the user's record says whenever it is asked
  int64_t ttl_seconds = kAccessTokenSeconds;
  std::string scope = {};   // one of those that jwt.h knows
  std::string key_id = {};  // of the API key that it came with, if any
};
// What an access token is made of (access_token.h), beside the refresh token.
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
  std::vector<SessionsToEnd> ends;  // of the family that had to go
};
// `first`: PrepareSecret(kRefreshTokenPrefix, …). FORBIDDEN: the user is suspended. UNAUTHENTICATED: the API
// key is no longer there.
protocol::Result<SignedIn> IssueTokens(RecordStage& stage, const SignIn& asked, const NewSecret& first);

struct FoundRefreshToken {
  protocol::TenantId tenant;
  protocol::UserId user;
  std::string token_id;
  SecretProof proof;
};
// UNAUTHENTICATED: there is none. One that was used is found: RenewTokens has to know of it.
protocol::Result<FoundRefreshToken> FindRefreshToken(const storage::Reader& reader, std::string_view secret,
                                                     protocol::Time now, const storage::Sealer& sealer);

struct RenewalTerms {
  int64_t grace_seconds = 0;  // for so long after its use a token is answered again
  // What a renewal is answered, as text: it is kept, and returned, as it is.
  std::function<std::string(const Grant&, protocol::Time now)> answer = [](const Grant&, protocol::Time) {
    return std::string();
  };
};
struct Renewal {
  std::optional<std::string>
      answer;                  // of this renewal, or of the one that is repeated; none: UNAUTHENTICATED
  std::optional<Grant> grant;  // of this renewal; none where it is repeated
  std::optional<SessionsToEnd> ends;  // of the family that a second use made void
};
// `next`: as `first` above. FORBIDDEN: the user is suspended; the token stays as it was.
// REQUIRES: the token's secret was proven.
protocol::Result<Renewal> RenewTokens(RecordStage& stage, const FoundRefreshToken& token,
                                      const NewSecret& next, const RenewalTerms& terms = {});
// Makes the token's family void; nullopt: it was. REQUIRES: as above.
protocol::Result<std::optional<SessionsToEnd>> RevokeTokens(RecordStage& stage,
                                                            const FoundRefreshToken& token);
// Stages that the families are void which came with an API key; DeleteApiKey commits it.
protocol::Result<std::vector<SessionsToEnd>> RevokeTokensOfKey(RecordStage& stage,
                                                               const protocol::UserId& user,
                                                               std::string_view key_id);

// A family, as access tokens are judged by it.
struct Family {
  std::optional<UserRole> role;  // none: what the user's record says
};
// nullopt: there is none, or it is void. One point read.
protocol::Result<std::optional<Family>> FindLiveFamily(const RecordReads& reads, const protocol::UserId& user,
                                                       std::string_view family_id, const Standing& standing);

}  // namespace parley::accounts
