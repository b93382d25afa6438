// Decisions on users' records (T3-U6): create, change, delete. The e-mail address and each identity on a
// channel are unique within the tenant.
//
// Each is a complete decision and ends with its commit. Thread contract: the writer's thread.
#pragma once

#include <optional>
#include <string>

#include "accounts/records/records.h"
#include "accounts/users/user.h"
#include "accounts/users/user_rules.h"
#include "accounts/users/user_standing.h"

namespace parley::accounts {

// `fresh` becomes their id, "usr_" and its text, if the request names none.
protocol::Result<User> MakeUser(RecordTransaction& tx, const Editor& by, const NewUser& asked,
                                const protocol::Ulid& fresh);

struct ChangedUser {
  User user;
  std::optional<SessionsToEnd> ends;  // their rights differ from those that their sessions know
};
// VERSION_CONFLICT with the present user if the version differs.
protocol::Result<ChangedUser> ChangeUser(RecordTransaction& tx, const Editor& by,
                                         const protocol::UserId& user, const UserChange& change);

// Deletes their record with its identities; their keys, tokens, permissions and invitations are void from
// then on, and features/people/ removes them. Threads keep their messages. A token
// that the tenant issues afterwards makes the id a new user.
protocol::Result<SessionsToEnd> DeleteUser(RecordTransaction& tx, const Editor& by,
                                           const protocol::UserId& user);
// The part of it for their keys and tokens. Returns true if there may be more. Void credentials are rejected
// even if it is never called.
inline constexpr size_t kClearedAtOnce = 50;
protocol::Result<bool> ClearDeleted(RecordTransaction& tx, const protocol::UserId& user);

// At a sign-in with a token that the tenant signed: returns the user's record, which is created from the
// token's claims if it is missing and the tenant allows it (`provisions`). nullopt: no record.
// UNAUTHENTICATED: the token is void.
protocol::Result<std::optional<User>> EnsureUser(RecordTransaction& tx, const Claims& claims,
                                                 bool provisions);

}  // namespace parley::accounts
