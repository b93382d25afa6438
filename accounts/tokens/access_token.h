// Access tokens: makes JWTs for a family of tokens, and checks these and the tokens that a tenant's back end
// signs itself against the store. jwt.h checks the signature and the claims.
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
// HS256, with a key of the tenant that only the server has. REQUIRES: secret.size() >= kHs256SecretBytesMin.
AccessToken MintAccessToken(const Grant& grant, const protocol::TenantId& tenant, protocol::Time now,
                            std::string_view secret, std::string_view kid);

// UNAUTHENTICATED: the token is void. FORBIDDEN: the user is suspended. A token of ours is judged by its
// family, and has the role in the user's record; any other by the second of its `iat`. At most three point
// reads. REQUIRES: VerifyToken accepted it, for the tenant of `reads`.
protocol::Result<Judged> JudgeToken(const RecordReads& reads, const Claims& claims);

}  // namespace parley::accounts
