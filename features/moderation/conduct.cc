#include "features/moderation/conduct.h"

#include "protocol/base/reason.h"

namespace parley::features {

using protocol::Error;
using protocol::ModeratedUser;
using protocol::Reason;
using protocol::Result;
using protocol::UserId;
using protocol::UserState;

Result<ModeratedUser> ReadConduct(const accounts::RecordReads& reads, const UserId& user) {
  PARLEY_TRY(standing, accounts::FindStanding(reads, user));
  const accounts::Conduct& conduct = standing.conduct;
  ModeratedUser out;
  out.user_id = user;
  out.state = conduct.StateAt(reads.now());
  if (out.state == UserState::kOk) return out;
  out.until = conduct.until;
  out.reason = conduct.reason;
  out.by = UserId::FromText(conduct.by);
  out.at = conduct.at;
  return out;
}

namespace {

protocol::Status MayChange(const UserId& user, const ConductChange& change, protocol::Time now) {
  if (user == change.by) return ErrorFor(protocol::Reason::kAboutOneself, "nobody decides about themselves");
  if (change.until && change.state == UserState::kOk) return Error::BadField("until", "is of no state");
  if (change.until && *change.until <= now) return Error::BadField("until", "is in the past");
  return protocol::Ok();
}

accounts::Conduct ConductOf(const ConductChange& change, protocol::Time now) {
  return {change.state, change.until, change.reason, change.by.ToText(), now};
}

// Whether the mute would add to the sanction in force.
bool AddsTo(const accounts::Conduct& now_holds, const ConductChange& mute, protocol::Time now) {
  const UserState state = now_holds.StateAt(now);
  if (state != UserState::kMuted) return state < UserState::kMuted;
  return now_holds.until && (!mute.until || *mute.until > *now_holds.until);
}

// Whether the mute of `held` is still in force.
bool IsStill(const accounts::Conduct& conduct, const HeldConduct& held) {
  return conduct.state == UserState::kMuted && conduct.by == held.by.ToText() && conduct.at == held.at;
}

HeldConduct Before(const accounts::Conduct& conduct, protocol::Time now) {
  HeldConduct out;
  out.state = conduct.StateAt(now);
  if (out.state == UserState::kOk) return out;
  out.until = conduct.until;
  out.reason = conduct.reason;
  out.state_by = conduct.by;
  out.state_at = conduct.at;
  return out;
}

}  // namespace

Result<std::optional<HeldConduct>> HoldMuted(accounts::RecordStage& stage, const UserId& user,
                                             const ConductChange& change, const HeldConduct* last) {
  PARLEY_CHECK_OK(MayChange(user, change, stage.now()));
  PARLEY_TRY(standing, accounts::FindStanding(stage, user));
  if (!AddsTo(standing.conduct, change, stage.now())) return std::optional<HeldConduct>();
  HeldConduct held = last && IsStill(standing.conduct, *last) ? *last : Before(standing.conduct, stage.now());
  held.user = user;
  held.by = change.by;
  held.at = stage.now();
  standing.conduct = ConductOf(change, stage.now());
  if (held.state != UserState::kOk) standing.conduct.until.reset();
  accounts::PutStanding(stage, user, standing);
  return std::optional(std::move(held));
}

Result<std::optional<UserState>> EndHold(accounts::RecordStage& stage, const HeldConduct& held) {
  PARLEY_TRY(standing, accounts::FindStanding(stage, held.user));
  if (!IsStill(standing.conduct, held)) return std::optional<UserState>();
  standing.conduct = {held.state, held.until, held.reason, held.state_by, held.state_at};
  accounts::PutStanding(stage, held.user, standing);
  return std::optional(standing.conduct.StateAt(stage.now()));
}

Result<std::optional<accounts::SessionsToEnd>> AddConduct(accounts::RecordStage& stage, const UserId& user,
                                                          const ConductChange& change) {
  PARLEY_CHECK_OK(MayChange(user, change, stage.now()));
  PARLEY_TRY(standing, accounts::FindStanding(stage, user));
  standing.conduct = ConductOf(change, stage.now());
  accounts::PutStanding(stage, user, standing);
  if (change.state != UserState::kSuspended) return std::optional<accounts::SessionsToEnd>();
  return std::optional(accounts::SessionsToEnd{user, accounts::SessionsToEnd::Why::kSuspended});
}

protocol::Status AddStrikesReset(accounts::RecordStage& stage, const UserId& user, const UserId& by) {
  if (user == by) return ErrorFor(Reason::kAboutOneself, "nobody decides about themselves");
  PARLEY_TRY(standing, accounts::FindStanding(stage, user));
  standing.strikes_reset_at = stage.now();
  accounts::PutStanding(stage, user, standing);
  return protocol::Ok();
}

}  // namespace parley::features
