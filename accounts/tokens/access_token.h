// Access tokens: JWTs that we make for a family of tokens, and what the store says about them and about those
// that a tenant's back end signs itself. That the signature and the claims are sound is jwt.h's part.
//
// Any thread.
#pragma once

#include <string>
#include <string_view>

#include "accounts/jwt.h"
#include "accounts/tokens/refresh_token.h"
#include "accounts/users/api_key.h"

namespace parley::accounts {

struct AccessToken {
  std::string token;
  protocol::Time expires_at;
};
// HS256, with a key of the tenant that only we have. REQUIRES: secret.size() >= kHs256SecretBytesMin.
AccessToken MintAccessToken(const Grant& grant, const protocol::TenantId& tenant, protocol::Time now,
                            std::string_view secret, std::string_view kid);

// UNAUTHENTICATED: the token is void. FORBIDDEN: the user is suspended. A token of ours is judged by its
// family, and says what the user's record says now; any other by the second of its `iat`. At most three point
// reads. REQUIRES: VerifyToken accepted it, for the tenant of `reads`.
protocol::Result<Judged> JudgeToken(const RecordReads& reads, const Claims& claims);

}  // namespace parley::accounts
