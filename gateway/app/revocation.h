// What is not valid any more: which live sessions end, on whatever I/O thread they are. Values, any thread.
#pragma once

#include <optional>
#include <string>

#include "accounts/users/user_standing.h"
#include "protocol/base/error.h"
#include "protocol/base/ids.h"
#include "protocol/base/time.h"

namespace parley::gateway {

// Of a tenant, those to which everything that is given applies.
struct Revocation {
  protocol::TenantId tenant;
  std::optional<protocol::UserId> user = {};
  std::string kid = {};     // of the key that signed their token; empty: whichever
  std::string family = {};  // of their token; empty: whichever
  std::string key_id = {};  // of the user API key that they came with; empty: whichever
  protocol::CloseCode code = protocol::CloseCode::kUnauthenticated;
  std::string why = {};
  bool tokens_only = false;  // not those who came with a key
};

// What a decision about a user says of their sessions.
Revocation RevocationOf(const protocol::TenantId& tenant, const accounts::SessionsToEnd& ends);

}  // namespace parley::gateway
