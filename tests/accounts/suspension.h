// Suspends a user in the way in which a tenant's back end does it through the table: by the standing's item.
#pragma once

#include <optional>

#include "accounts/users/user_standing.h"

namespace parley::accounts {

inline protocol::Result<SessionsToEnd> SuspendUser(RecordTransaction& tx, const protocol::UserId& user,
                                                   std::optional<protocol::Time> until = {}) {
  PARLEY_TRY(standing, FindStanding(tx, user));
  standing.suspended = true;
  standing.suspended_until = until;
  PutStanding(tx, user, standing);
  PARLEY_CHECK_OK(tx.Commit());
  return SessionsToEnd{user, SessionsToEnd::Why::kSuspended};
}

inline protocol::Status ReinstateUser(RecordTransaction& tx, const protocol::UserId& user) {
  PARLEY_TRY(standing, FindStanding(tx, user));
  if (!standing.suspended) return protocol::Ok();
  standing.suspended = false;
  standing.suspended_until.reset();
  PutStanding(tx, user, standing);
  return tx.Commit();
}

}  // namespace parley::accounts
