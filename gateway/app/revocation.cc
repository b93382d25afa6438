#include "gateway/app/revocation.h"

namespace parley::gateway {

using accounts::SessionsToEnd;

Revocation RevocationOf(const protocol::TenantId& tenant, const SessionsToEnd& ends) {
  using enum SessionsToEnd::Why;
  using enum SessionsToEnd::Whose;
  Revocation out{tenant, ends.user};
  if (ends.whose == kFamily) out.family = ends.id;
  if (ends.whose == kApiKey) out.key_id = ends.id;
  out.tokens_only = ends.whose == kTokens;
  if (ends.why == kVoid) out.why = "the credential is no longer valid";
  if (ends.why == kChanged) out.why = "the user's permissions have changed";
  if (ends.why == kSuspended) {
    out.code = protocol::CloseCode::kForbidden;
    out.why = "the user is suspended";
  }
  return out;
}

}  // namespace parley::gateway
