// What moderators decide about a user: warned, shadowed, muted, suspended, for a time or until somebody ends
// it. It lies in the user's standing (users/standing.h), which every connect reads; it ends by the clock of
// whoever reads it.
//
// Thread contract: reads on any thread; decisions on the writer's.
#pragma once

#include <optional>
#include <string>

#include "accounts/moderation/case_item.h"
#include "accounts/users/standing.h"

namespace parley::accounts {

struct ConductChange {
  protocol::UserState state = protocol::UserState::kOk;
  std::optional<protocol::Time> until;
  std::string reason;
  protocol::UserId by;
};

// As it holds now.
protocol::Result<protocol::ModeratedUser> ReadConduct(const RecordReads& reads, const protocol::UserId& user);

// Adds the write; the decision commits, and the sessions that it names end. BAD_REQUEST where `until` is
// over, FORBIDDEN where somebody decides about themselves. A state that holds already, with the same end, is
// written all the same: its reason is new.
protocol::Result<std::optional<SessionsToEnd>> AddConduct(RecordStage& stage, const protocol::UserId& user,
                                                          const ConductChange& change);

// Mutes the user until a case is decided. `last`: of the same case, if it muted them before. Adds the write;
// the decision commits, and keeps what is returned with the case. An earlier end is ignored where something
// else holds already, which would end with it. nullopt: as much holds already, and nothing is added. Errors
// as above.
protocol::Result<std::optional<HeldConduct>> HoldMuted(RecordStage& stage, const protocol::UserId& user,
                                                       const ConductChange& change, const HeldConduct* last);
// The case is decided: what held before the mute holds again. Returns it; nullopt: something else was decided
// about the user since, and nothing is added.
protocol::Result<std::optional<protocol::UserState>> EndHold(RecordStage& stage, const HeldConduct& held);

// What the text policy found in the user's texts until now counts no more, in no thread. Adds the write; the
// decision commits. FORBIDDEN where somebody decides about themselves.
protocol::Status AddLadderReset(RecordStage& stage, const protocol::UserId& user, const protocol::UserId& by);

}  // namespace parley::accounts
