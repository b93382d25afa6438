// From a credential to a caller. The one place where tokens are judged, for sockets and for HTTP.
// Thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "accounts/tenants.h"
#include "protocol/base/clock.h"
#include "protocol/base/result.h"
#include "threads/model/caller.h"

namespace parley::gateway {

struct Identity {
  threads::Caller caller;
  std::optional<protocol::Time> expires_at;  // none: a tenant key
  bool adult = false;                        // according to the token
  std::string key_id = {};  // of a tenant key, or of the user's API key; empty: there is only one, or none
};

class Authenticator {
 public:
  // `staff_by_case`: staff may look only into threads with an open case.
  Authenticator(const accounts::TenantDirectory& tenants, const protocol::Clock& clock, bool staff_by_case)
      : tenants_(tenants), clock_(clock), staff_by_case_(staff_by_case) {}

  // A user's token or a tenant's key. UNAUTHENTICATED or AUTH_EXPIRED.
  protocol::Result<Identity> Authenticate(std::string_view credential) const;
  // The credential of "Authorization: Bearer …"; nullopt when the header is something else.
  static std::optional<std::string_view> Bearer(std::string_view header);

 private:
  const accounts::TenantDirectory& tenants_;
  const protocol::Clock& clock_;
  const bool staff_by_case_;
};

}  // namespace parley::gateway
