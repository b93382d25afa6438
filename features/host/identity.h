// An authenticated caller: a tenant's user or back end, or the operator.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "accounts/tokens/connect.h"
#include "protocol/base/clock.h"
#include "threads/model/caller.h"

namespace parley::features {

struct Identity {
  threads::Caller caller;
  std::optional<protocol::Time> expires_at;  // nullopt: a key that does not expire
  bool adult = false;                        // according to the token
  bool is_operator = false;
  std::string key_id;       // the tenant key's or user API key's
  std::string kid;          // the key that signed the token
  std::string family;       // the token's family of refresh tokens
  bool reads_only = false;  // the caller may change nothing
  // Set for a user without a record, who gets one first (the tenant's setting autoProvision).
  std::shared_ptr<const accounts::Claims> newcomer = {};
};

}  // namespace parley::features
