#include "accounts/permissions/permissions.h"

#include <algorithm>

#include "accounts/records/item_fields.h"
#include "accounts/users/user_standing.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"

namespace parley::accounts {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Reason;
using protocol::Result;
using protocol::Status;

namespace {

constexpr std::string_view kPermissionTable = "permission";
constexpr std::string_view kOwners = "owners";
constexpr std::string_view kByUser = "byUser";
constexpr std::string_view kUserPrefix = "users/";

std::string UserKey(const UserId& user) {
  return std::string(kUserPrefix) + user.ToText();
}

Error UnreadablePermission() {
  return {ErrorCode::kInternal, "a permission cannot be read"};
}

std::optional<Level> LevelIn(const Item& item) {
  const auto type = IntOf(item, "type");
  if (!type || *type < 1 || *type > 3) return std::nullopt;
  return static_cast<Level>(*type - 1);
}

Result<UserId> UserOf(const Item& item) {
  const std::string sk = TextOf(item, "sk");
  const auto user =
      sk.starts_with(kUserPrefix) ? UserId::FromText(sk.substr(kUserPrefix.size())) : std::nullopt;
  if (!user) return UnreadablePermission();
  return *user;
}

Result<Permission> PermissionFrom(const RecordReads& reads, const Item& item) {
  const std::string pk = TextOf(item, "pk");
  const auto level = LevelIn(item);
  if (!level) return UnreadablePermission();
  PARLEY_TRY(user, UserOf(item));
  const bool of_tenant = pk == Resource::Tenant(reads.tenant()).Key();
  const protocol::Time created = TimeOf(item, "createdAt").value_or(protocol::Time{});
  return Permission{
      {of_tenant ? "tenant" : pk}, user, *level, created, TimeOf(item, "updatedAt").value_or(created)};
}

// Whether its user was deleted since.
Result<bool> IsVoid(const RecordReads& reads, const Item& item) {
  PARLEY_TRY(user, UserOf(item));
  PARLEY_TRY(standing, FindStanding(reads, user));
  return IntOf(item, "userLife").value_or(0) < standing.lives;
}

// Skips void rows, except for owners in a resource's list.
Result<PermissionPage> ReadPermissions(const RecordReads& reads, RecordReads::Ask ask) {
  const bool of_user = ask.index == kByUser;
  const std::string_view range = of_user ? "pk" : "sk";
  PARLEY_TRY(page, reads.ListToTheEnd(std::move(ask)));
  PermissionPage out;
  for (const Item& item : page.items) {
    PARLEY_TRY(one, PermissionFrom(reads, item));
    PARLEY_TRY(is_void, IsVoid(reads, item));
    if (is_void && (of_user || one.level != Level::kOwner)) continue;
    out.items.push_back(std::move(one));
  }
  if (page.last) out.next = TextOf(*page.last, range);
  return out;
}

Error LastOwner() {
  return ErrorFor(Reason::kLastOwner, "the last owner of a resource cannot be lowered or removed");
}

constexpr size_t kFormerMax = 32;  // deleted owners that are not cleared yet, read together

// REQUIRES: the user is one of them.
Status RequireAnotherOwner(const RecordReads& reads, const Resource& resource, const UserId& user) {
  PARLEY_TRY(owners, reads.List({kPermissionTable, kOwners, AllOf(resource.Key()), kFormerMax}));
  for (const Item& owner : owners.items) {
    if (TextOf(owner, "sk") == UserKey(user)) continue;
    PARLEY_TRY(is_void, IsVoid(reads, owner));
    if (!is_void) return protocol::Ok();
  }
  return LastOwner();
}

// Removes former, deleted owners, because another owner exists now, or no member is left.
Status DropFormerOwners(RecordTransaction& tx, const Resource& resource, const UserId& except) {
  PARLEY_TRY(owners, tx.List({kPermissionTable, kOwners, AllOf(resource.Key()), kFormerMax}));
  for (const Item& owner : owners.items) {
    if (TextOf(owner, "sk") == UserKey(except)) continue;
    PARLEY_TRY(is_void, IsVoid(tx, owner));
    if (is_void) tx.Delete(kPermissionTable, resource.Key(), TextOf(owner, "sk"));
  }
  return protocol::Ok();
}

// Whether the user's void row is still needed: they are the only one in the list of owners, and the list of
// members has others.
Result<bool> IsOwnerOfOthers(const RecordReads& reads, const Item& item) {
  if (LevelIn(item) != Level::kOwner) return false;
  const std::string resource = TextOf(item, "pk");
  PARLEY_TRY(owners, reads.List({kPermissionTable, kOwners, AllOf(resource), 2}));
  if (owners.items.size() > 1) return false;
  PARLEY_TRY(members, reads.List({kPermissionTable, {}, AllOf(resource), 2}));
  return members.items.size() > 1;
}

// The new item, based on the present one, if any.
Item ItemFor(const std::optional<Item>& before, const Actor& actor, const Resource& resource,
             const UserId& user, Level level, int64_t life, const std::string& since) {
  Item item = before.value_or(Item());
  item.Set("pk", resource.Key());
  item.Set("sk", UserKey(user));
  item.Set("resourceType", resource.type());
  item.Set("resourceId", resource.id());
  item.Set("userId", user.ToText());
  SetInt(&item, "type", static_cast<int64_t>(level) + 1);
  SetText(&item, "ownerOf", level == Level::kOwner ? resource.Key() : std::string());
  SetText(&item, "ownerSince", level == Level::kOwner ? since : std::string());
  item.Set(before ? "updatedBy" : "createdBy", actor.ToText());
  SetInt(&item, "userLife", life);
  return item;
}

Result<Permission> StageLevel(RecordTransaction& tx, const Actor& actor, const Resource& resource,
                              const UserId& user, Level level, LevelMode mode) {
  PARLEY_TRY(before, tx.Find(kPermissionTable, resource.Key(), UserKey(user)));
  const auto had = before ? LevelIn(*before) : std::nullopt;
  if (before && !had) return UnreadablePermission();
  PARLEY_TRY(standing, FindStanding(tx, user));
  const bool holds = before && IntOf(*before, "userLife").value_or(0) >= standing.lives;
  if (holds && mode == LevelMode::kRaise) level = std::max(level, *had);
  if (holds && had == level) return PermissionFrom(tx, *before);
  if (had == Level::kOwner && level != Level::kOwner)
    PARLEY_CHECK_OK(RequireAnotherOwner(tx, resource, user));
  if (level == Level::kOwner) PARLEY_CHECK_OK(DropFormerOwners(tx, resource, user));
  Item item = ItemFor(before, actor, resource, user, level, standing.lives, protocol::FormatTime(tx.now()));
  item.Set("updatedAt", protocol::FormatTime(tx.now()));
  if (!before) item.Set("createdAt", protocol::FormatTime(tx.now()));
  PARLEY_TRY(permission, PermissionFrom(tx, item));
  tx.Put(kPermissionTable, "permission", std::move(item));
  return permission;
}

}  // namespace

Result<std::optional<Level>> LevelOn(const RecordReads& reads, const Resource& resource, const UserId& user) {
  PARLEY_TRY(item, reads.Find(kPermissionTable, resource.Key(), UserKey(user)));
  if (!item) return std::optional<Level>();
  const auto level = LevelIn(*item);
  if (!level) return UnreadablePermission();
  PARLEY_TRY(is_void, IsVoid(reads, *item));
  return is_void ? std::nullopt : level;
}

Result<std::optional<Level>> LevelOnTenant(const RecordReads& reads, const UserId& user) {
  return LevelOn(reads, Resource::Tenant(reads.tenant()), user);
}

Result<bool> HasLevel(const RecordReads& reads, const Resource& resource, const UserId& user, Level least) {
  PARLEY_TRY(level, LevelOn(reads, resource, user));
  return level && *level >= least;
}

Result<std::optional<std::string>> OwnsSince(const RecordReads& reads, const Resource& resource,
                                             const UserId& user) {
  PARLEY_TRY(item, reads.Find(kPermissionTable, resource.Key(), UserKey(user)));
  if (!item || LevelIn(*item) != Level::kOwner) return std::optional<std::string>();
  PARLEY_TRY(is_void, IsVoid(reads, *item));
  return is_void ? std::nullopt : std::optional(TextOf(*item, "ownerSince"));
}

Status RequireOwner(const RecordReads& reads, const Actor& actor, const Resource& resource) {
  if (actor.is_service || actor.is_admin) return protocol::Ok();
  if (actor.user) {
    PARLEY_TRY(owns, HasLevel(reads, resource, *actor.user, Level::kOwner));
    if (owns) return protocol::Ok();
  }
  return ErrorFor(Reason::kOnlyResourceOwners,
                  "only owners of the resource, services and admins may do this");
}

Result<Permission> GetPermission(const RecordReads& reads, const Actor& actor, const Resource& resource,
                                 const UserId& user) {
  if (actor.user != user) PARLEY_CHECK_OK(RequireOwner(reads, actor, resource));
  PARLEY_TRY(level, LevelOn(reads, resource, user));
  PARLEY_TRY(item, reads.Find(kPermissionTable, resource.Key(), UserKey(user)));
  if (!level || !item) return ErrorFor(Reason::kNoLevel, "the user has no level on this resource");
  return PermissionFrom(reads, protocol::Sure(item));
}

Result<PermissionPage> MembersOf(const RecordReads& reads, const Actor& actor, const Resource& resource,
                                 const PermissionAsk& ask) {
  PARLEY_CHECK_OK(RequireOwner(reads, actor, resource));
  RecordReads::Ask rows{kPermissionTable, {}, AllOf(resource.Key()), ask.limit};
  if (ask.after) rows.after = Item{{"pk", resource.Key()}, {"sk", *ask.after}};
  return ReadPermissions(reads, std::move(rows));
}

Result<PermissionPage> ResourcesOf(const RecordReads& reads, const Actor& actor, const UserId& user,
                                   const PermissionAsk& ask) {
  if (!actor.is_service && !actor.is_admin && actor.user != user)
    return ErrorFor(Reason::kOthersRecord, "only services, admins and the user may list the user's levels");
  RecordReads::Ask rows{kPermissionTable, kByUser, AllOf(UserKey(user)), ask.limit};
  if (ask.after) rows.after = Item{{"pk", *ask.after}, {"sk", UserKey(user)}};
  return ReadPermissions(reads, std::move(rows));
}

Result<Permission> PutPermission(RecordTransaction& tx, const Actor& actor, const Resource& resource,
                                 const UserId& user, Level level, LevelMode mode) {
  PARLEY_CHECK_OK(RequireOwner(tx, actor, resource));
  PARLEY_TRY(permission, StageLevel(tx, actor, resource, user, level, mode));
  PARLEY_CHECK_OK(tx.Commit());
  return permission;
}

Status DeletePermission(RecordTransaction& tx, const Actor& actor, const Resource& resource,
                        const UserId& user) {
  PARLEY_CHECK_OK(RequireOwner(tx, actor, resource));
  PARLEY_TRY(item, tx.Find(kPermissionTable, resource.Key(), UserKey(user)));
  if (!item) return ErrorFor(Reason::kNoLevel, "the user has no level on this resource");
  if (LevelIn(*item) == Level::kOwner) PARLEY_CHECK_OK(RequireAnotherOwner(tx, resource, user));
  PARLEY_TRY(members, tx.List({kPermissionTable, {}, AllOf(resource.Key()), 3}));
  if (members.items.size() == 2) PARLEY_CHECK_OK(DropFormerOwners(tx, resource, user));
  tx.Delete(kPermissionTable, resource.Key(), UserKey(user));
  return tx.Commit();
}

Result<std::optional<std::string>> ClearPermissions(RecordTransaction& tx, const UserId& user,
                                                    const std::string& after, size_t limit) {
  RecordReads::Ask ask{kPermissionTable, kByUser, AllOf(UserKey(user)), limit};
  if (!after.empty()) ask.after = Item{{"pk", after}, {"sk", UserKey(user)}};
  PARLEY_TRY(page, tx.ListToTheEnd(std::move(ask)));
  for (const Item& item : page.items) {
    PARLEY_TRY(is_void, IsVoid(tx, item));
    if (!is_void) continue;
    PARLEY_TRY(stays, IsOwnerOfOthers(tx, item));
    if (!stays) tx.Delete(kPermissionTable, TextOf(item, "pk"), UserKey(user));
  }
  PARLEY_CHECK_OK(tx.Commit());
  return page.last ? std::optional(TextOf(*page.last, "pk")) : std::nullopt;
}

Result<Permission> StageRaise(RecordTransaction& tx, const Actor& actor, const Resource& resource,
                              const UserId& user, Level level) {
  return StageLevel(tx, actor, resource, user, level, LevelMode::kRaise);
}

}  // namespace parley::accounts
