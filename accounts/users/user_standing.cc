#include "accounts/users/user_standing.h"

#include "accounts/records/item_fields.h"
#include "accounts/users/user_keys.h"
#include "protocol/base/reason.h"

namespace parley::accounts {

using protocol::Error;
using protocol::Reason;
using protocol::Result;
using protocol::Time;
using protocol::UserId;
using protocol::UserState;

namespace {

Sanction SanctionFrom(const Item& item) {
  Sanction out;
  out.state = protocol::EnumFromName<UserState>(TextOf(item, "conduct")).value_or(UserState::kOk);
  out.until = TimeOf(item, "conduct_until");
  out.reason = TextOf(item, "conduct_reason");
  out.by = TextOf(item, "conduct_by");
  out.at = TimeOf(item, "conduct_at");
  return out;
}

// A sanction that has ended by itself is dropped: the audit has it.
void PutSanction(const Sanction& sanction, Time now, Item* item) {
  if (sanction.StateAt(now) == UserState::kOk) return;
  SetText(item, "conduct", protocol::NameOf(sanction.state));
  if (sanction.until) SetTime(item, "conduct_until", *sanction.until);
  SetText(item, "conduct_reason", std::string_view(sanction.reason));
  SetText(item, "conduct_by", std::string_view(sanction.by));
  if (sanction.at) SetTime(item, "conduct_at", *sanction.at);
}

}  // namespace

Result<UserStanding> FindStanding(const RecordReads& reads, const UserId& user) {
  PARLEY_TRY(found, reads.Find(kTenantsTable, TenantHash(reads.tenant()), StandingRange(user.ToText())));
  UserStanding out;
  if (!found) return out;
  out.void_before = MillisOf(*found, "void_before");
  out.voids = IntOf(*found, "voids").value_or(0);
  out.lives = IntOf(*found, "lives").value_or(0);
  out.suspended = IsTrue(*found, "suspended");
  out.suspended_until = TimeOf(*found, "suspended_until");
  out.suspended_reason = TextOf(*found, "suspended_reason");
  out.deleted_at = TimeOf(*found, "deleted_at");
  out.sanction = SanctionFrom(*found);
  out.strikes_reset_at = MillisOf(*found, "ladder_reset_at");
  return out;
}

void PutStanding(RecordTransaction& tx, const UserId& user, const UserStanding& standing) {
  Item item{{"tenant_id", tx.tenant().ToText()}, {"user_id", user.ToText()}};
  if (standing.void_before) SetInt(&item, "void_before", standing.void_before->ms);
  SetInt(&item, "voids", standing.voids);
  SetInt(&item, "lives", standing.lives);
  item.Set("suspended", storage::AttributeValue::OfBool(standing.suspended));
  if (standing.suspended_until) SetTime(&item, "suspended_until", *standing.suspended_until);
  SetText(&item, "suspended_reason", std::string_view(standing.suspended_reason));
  if (standing.deleted_at) SetTime(&item, "deleted_at", *standing.deleted_at);
  PutSanction(standing.sanction, tx.now(), &item);
  if (standing.strikes_reset_at) SetInt(&item, "ladder_reset_at", standing.strikes_reset_at->ms);
  tx.Put(kTenantsTable, "standing", std::move(item));
}

// A clock that steps back undoes no void.
void VoidTokensOf(UserStanding* standing, Time now) {
  if (!standing->void_before || *standing->void_before < now) standing->void_before = now;
  ++standing->voids;
}

protocol::Status RequireNotSuspended(const UserStanding& standing, Time now) {
  if (!standing.IsSuspended(now)) return protocol::Ok();
  return ErrorFor(Reason::kUserSuspended, "the user is suspended");
}

Error Unauthenticated() {
  return ErrorFor(Reason::kBadCredential, "the credential is not valid");
}

Result<SessionsToEnd> VoidTokens(RecordTransaction& tx, const UserId& user) {
  PARLEY_TRY(standing, FindStanding(tx, user));
  VoidTokensOf(&standing, tx.now());
  PutStanding(tx, user, standing);
  PARLEY_CHECK_OK(tx.Commit());
  return SessionsToEnd{user, SessionsToEnd::Why::kVoid, SessionsToEnd::Whose::kTokens};
}

}  // namespace parley::accounts
