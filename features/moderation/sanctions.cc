#include "features/moderation/sanctions.h"

#include "protocol/base/reason.h"

namespace parley::features {

using protocol::Error;
using protocol::Reason;
using protocol::Result;
using protocol::UserId;
using protocol::UserState;

Result<ModeratedUser> ReadSanction(const accounts::RecordReads& reads, const UserId& user) {
  PARLEY_TRY(standing, accounts::FindStanding(reads, user));
  const accounts::Sanction& sanction = standing.sanction;
  ModeratedUser out;
  out.user_id = user;
  out.state = sanction.StateAt(reads.now());
  if (out.state == UserState::kOk) return out;
  out.until = sanction.until;
  out.reason = sanction.reason;
  out.by = UserId::FromText(sanction.by);
  out.at = sanction.at;
  return out;
}

namespace {

protocol::Status MayChange(const UserId& user, const SanctionChange& change, protocol::Time now) {
  if (user == change.by)
    return ErrorFor(protocol::Reason::kAboutOneself, "a decision about oneself is not allowed");
  if (change.until && change.state == UserState::kOk) return Error::BadField("until", "is of no state");
  if (change.until && *change.until <= now) return Error::BadField("until", "is in the past");
  return protocol::Ok();
}

accounts::Sanction SanctionOf(const SanctionChange& change, protocol::Time now) {
  return {change.state, change.until, change.reason, change.by.ToText(), now};
}

// Whether the mute would add to the sanction in force.
bool AddsTo(const accounts::Sanction& now_holds, const SanctionChange& mute, protocol::Time now) {
  const UserState state = now_holds.StateAt(now);
  if (state != UserState::kMuted) return state < UserState::kMuted;
  return now_holds.until && (!mute.until || *mute.until > *now_holds.until);
}

// Whether the mute of `held` is still in force.
bool IsStill(const accounts::Sanction& sanction, const HeldSanction& held) {
  return sanction.state == UserState::kMuted && sanction.by == held.by.ToText() && sanction.at == held.at;
}

HeldSanction Before(const accounts::Sanction& sanction, protocol::Time now) {
  HeldSanction out;
  out.state = sanction.StateAt(now);
  if (out.state == UserState::kOk) return out;
  out.until = sanction.until;
  out.reason = sanction.reason;
  out.state_by = sanction.by;
  out.state_at = sanction.at;
  return out;
}

}  // namespace

Result<std::optional<HeldSanction>> HoldMuted(accounts::RecordTransaction& tx, const UserId& user,
                                              const SanctionChange& change, const HeldSanction* last) {
  PARLEY_CHECK_OK(MayChange(user, change, tx.now()));
  PARLEY_TRY(standing, accounts::FindStanding(tx, user));
  if (!AddsTo(standing.sanction, change, tx.now())) return std::optional<HeldSanction>();
  HeldSanction held = last && IsStill(standing.sanction, *last) ? *last : Before(standing.sanction, tx.now());
  held.user = user;
  held.by = change.by;
  held.at = tx.now();
  standing.sanction = SanctionOf(change, tx.now());
  if (held.state != UserState::kOk) standing.sanction.until.reset();
  accounts::PutStanding(tx, user, standing);
  return std::optional(std::move(held));
}

Result<std::optional<UserState>> EndHold(accounts::RecordTransaction& tx, const HeldSanction& held) {
  PARLEY_TRY(standing, accounts::FindStanding(tx, held.user));
  if (!IsStill(standing.sanction, held)) return std::optional<UserState>();
  standing.sanction = {held.state, held.until, held.reason, held.state_by, held.state_at};
  accounts::PutStanding(tx, held.user, standing);
  return std::optional(standing.sanction.StateAt(tx.now()));
}

Result<std::optional<accounts::SessionsToEnd>> AddSanction(accounts::RecordTransaction& tx,
                                                           const UserId& user, const SanctionChange& change) {
  PARLEY_CHECK_OK(MayChange(user, change, tx.now()));
  PARLEY_TRY(standing, accounts::FindStanding(tx, user));
  standing.sanction = SanctionOf(change, tx.now());
  accounts::PutStanding(tx, user, standing);
  if (change.state != UserState::kSuspended) return std::optional<accounts::SessionsToEnd>();
  return std::optional(accounts::SessionsToEnd{user, accounts::SessionsToEnd::Why::kSuspended});
}

protocol::Status AddStrikesReset(accounts::RecordTransaction& tx, const UserId& user, const UserId& by) {
  if (user == by) return ErrorFor(Reason::kAboutOneself, "a decision about oneself is not allowed");
  PARLEY_TRY(standing, accounts::FindStanding(tx, user));
  standing.strikes_reset_at = tx.now();
  accounts::PutStanding(tx, user, standing);
  return protocol::Ok();
}

}  // namespace parley::features
