// An authenticated caller: a tenant's user or back end, or the operator.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "accounts/tokens/connect.h"
#include "protocol/base/clock.h"
#include "protocol/base/http.h"
#include "protocol/base/result.h"
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

// The caller of a request; a service may act as the user that Parley-User names. FORBIDDEN, BAD_REQUEST.
protocol::Result<threads::Caller> ActingAs(const protocol::HttpRequest& request, threads::Caller caller);

}  // namespace parley::features
