// Selects the live sessions that a revocation ends, on any I/O thread. Values, any thread.
#pragma once

#include <optional>
#include <string>

#include "accounts/users/user_standing.h"
#include "protocol/base/error.h"
#include "protocol/base/ids.h"
#include "protocol/base/time.h"

namespace parley::gateway {

// Ends the tenant's sessions that match all given fields.
struct Revocation {
  protocol::TenantId tenant;
  std::optional<protocol::UserId> user = {};
  std::string kid = {};     // the key that signed the token; empty: any
  std::string family = {};  // the token's family; empty: any
  std::string key_id = {};  // the user API key; empty: any
  protocol::CloseCode code = protocol::CloseCode::kUnauthenticated;
  std::string why = {};
  bool tokens_only = false;  // not sessions opened with a key
};

// Makes the revocation that a decision about a user requires.
Revocation RevocationOf(const protocol::TenantId& tenant, const accounts::SessionsToEnd& ends);

}  // namespace parley::gateway
