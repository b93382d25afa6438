// Decisions on users' records (T3-U6): made, changed, deleted. Their e-mail address and each identity on a
// channel is theirs alone within the tenant.
//
// Each is the whole of a decision and ends with its commit. Thread contract: the writer's thread.
#pragma once

#include <optional>
#include <string>

#include "accounts/records/records.h"
#include "accounts/users/standing.h"
#include "accounts/users/user.h"
#include "accounts/users/user_rules.h"

namespace parley::accounts {

// `fresh` becomes their id, "usr_" and its text, if none is asked for.
protocol::Result<User> MakeUser(RecordStage& stage, const Editor& by, const NewUser& asked,
                                const protocol::Ulid& fresh);

struct ChangedUser {
  User user;
  std::optional<SessionsToEnd> ends;  // what they may do is no longer what their sessions know
};
// VERSION_CONFLICT with the user as they are, if the version is not theirs.
protocol::Result<ChangedUser> ChangeUser(RecordStage& stage, const Editor& by, const protocol::UserId& user,
                                         const UserChange& change);

// Their record goes, with its identities; their keys, tokens, permissions and the invitations that they made
// are void from then on, and are taken away by ClearDeparted (permissions/departure.h). Threads keep what
// they wrote. A token that their tenant issues afterwards names them anew.
protocol::Result<SessionsToEnd> DeleteUser(RecordStage& stage, const Editor& by,
                                           const protocol::UserId& user);
// The part of it that is about their keys and tokens. True: there may be more. Whether it is ever called
// makes no difference to what is honoured.
inline constexpr size_t kClearedAtOnce = 50;
protocol::Result<bool> ClearDeleted(RecordStage& stage, const protocol::UserId& user);

// At a sign-in with a token that the tenant signed: the user's record, made of what the token says where
// there is none and the tenant allows it (`provisions`). nullopt: there is none. UNAUTHENTICATED: the token
// is void.
protocol::Result<std::optional<User>> EnsureUser(RecordStage& stage, const Claims& claims, bool provisions);

}  // namespace parley::accounts
