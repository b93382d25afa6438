#include "accounts/users/user_reads.h"

#include "accounts/records/item_fields.h"
#include "accounts/users/user_keys.h"
#include "accounts/users/user_rules.h"

namespace parley::accounts {

using protocol::Error;
using protocol::Result;
using protocol::UserId;

namespace {

Result<MaybeUser> FromFound(const std::optional<Item>& item) {
  if (!item) return MaybeUser();
  PARLEY_TRY(user, UserFrom(*item));
  return MaybeUser(std::move(user));
}

}  // namespace

Result<MaybeUser> FindUser(const RecordReads& reads, const UserId& user) {
  PARLEY_TRY(found, reads.Find(kTenantsTable, TenantHash(reads.tenant()), UserRange(user.ToText())));
  return FromFound(found);
}

Result<MaybeUser> FindUserByEmail(const RecordReads& reads, std::string_view email) {
  const auto folded = FoldEmail(email);
  if (!folded) return MaybeUser();
  PARLEY_TRY(found,
             reads.FindUnique(kTenantsTable, {{"pk", TenantHash(reads.tenant())}, {"email", *folded}}));
  return FromFound(found);
}

Result<MaybeUser> FindUserByIdentity(const RecordReads& reads, std::string_view type, std::string_view id) {
  if (!IsIdentityType(type) || !IsIdentityId(id)) return MaybeUser();
  PARLEY_TRY(found, reads.Find(kTenantsTable, TenantHash(reads.tenant()), IdentityRange(type, id)));
  const auto user = found ? UserId::FromText(TextOf(*found, "user_id")) : std::nullopt;
  if (!user) return MaybeUser();
  return FindUser(reads, *user);
}

Result<MaybeUser> FindUserByIdentity(const RecordReads& reads, std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return Error::BadField("identity", "must be type:id");
  return FindUserByIdentity(reads, text.substr(0, colon), text.substr(colon + 1));
}

Result<UserPage> ListUsers(const RecordReads& reads, const UserListing& listing) {
  const std::string hash = TenantHash(reads.tenant()), prefix = UserRange(listing.prefix);
  RecordReads::Ask ask;
  ask.table = kTenantsTable;
  ask.key = BeginningWith(hash, prefix);
  ask.limit = listing.limit;
  if (listing.after) ask.after = Item{{"pk", hash}, {"sk", UserRange(*listing.after)}};
  PARLEY_TRY(page, reads.List(ask));
  UserPage out;
  for (const Item& item : page.items) {
    PARLEY_TRY(user, UserFrom(item));
    out.users.push_back(std::move(user));
  }
  if (page.last && !out.users.empty()) out.last = out.users.back().id.ToText();
  return out;
}

}  // namespace parley::accounts
