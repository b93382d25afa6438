// Moderators' sanctions on a user: warned, shadowed, muted, suspended, for a time or until a moderator ends
// them. Stored in the user's standing (users/user_standing.h), which every connect reads; each reader ends
// them by its own clock.
//
// Thread contract: reads on any thread; decisions on the writer's.
#pragma once

#include <optional>
#include <string>

#include "accounts/users/user_standing.h"
#include "features/moderation/case_item.h"
#include "features/moderation/ops.h"

namespace parley::features {

struct SanctionChange {
  protocol::UserState state = protocol::UserState::kOk;
  std::optional<protocol::Time> until;
  std::string reason;
  protocol::UserId by;
};

// As it is now.
protocol::Result<ModeratedUser> ReadSanction(const accounts::RecordReads& reads,
                                             const protocol::UserId& user);

// Adds the write; the decision commits, and the returned sessions end. BAD_REQUEST if `until` has passed,
// FORBIDDEN for oneself. A state that is in force already, with the same end, is written too, because its
// reason is new.
protocol::Result<std::optional<accounts::SessionsToEnd>> AddSanction(accounts::RecordTransaction& tx,
                                                                     const protocol::UserId& user,
                                                                     const SanctionChange& change);

// Mutes the user until a case is decided. `last`: the earlier mute of the same case, if any. Adds the write;
// the decision commits, and stores the returned value with the case. An earlier end is ignored if another
// sanction is in force, which would end with it. Returns nullopt and adds nothing if a sanction at least as
// strong is in force. Errors as above.
protocol::Result<std::optional<HeldSanction>> HoldMuted(accounts::RecordTransaction& tx,
                                                        const protocol::UserId& user,
                                                        const SanctionChange& change,
                                                        const HeldSanction* last);
// The case is decided: restores the sanction before the mute and returns it; returns nullopt and adds nothing
// if the user's sanction was changed since.
protocol::Result<std::optional<protocol::UserState>> EndHold(accounts::RecordTransaction& tx,
                                                             const HeldSanction& held);

// Clears the user's strikes under the text policy in all threads. Adds the write; the decision commits.
// FORBIDDEN for oneself.
protocol::Status AddStrikesReset(accounts::RecordTransaction& tx, const protocol::UserId& user,
                                 const protocol::UserId& by);

}  // namespace parley::features
