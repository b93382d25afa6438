// Users' levels on resources: at most one level for each user on each resource.
//
// A resource that has an owner keeps one: the last cannot be lowered or removed. An index lists the owners,
// so that this check reads two entries however many members there are; and because the writer decides one
// request after the other, two owners who leave at once cannot both succeed.
//
// A user without a row on the tenant may connect, with the rights of their role; with `read` there they may
// connect and only read.
//
// A deleted user's rows are void, even if the id is used again: each row stores how often its user had been
// deleted (standing.h). features/people/ removes them.
//
// Thread contract: records.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accounts/permissions/resource.h"
#include "accounts/records/records.h"
#include "protocol/schema.h"

namespace parley::accounts {

struct Permission {
  static constexpr std::string_view kSchemaName = "ResourcePermission";  // besides protocol::Permission
  protocol::Text<129> resource;
  UserId user_id;
  Level level = Level::kRead;
  protocol::Time created_at, updated_at;
  static constexpr void Fields(auto& field) {
    using T = Permission;
    field("resource", &T::resource, "`tenant`, or `type/id`");
    field("userId", &T::user_id, "the user who has it");
    field("level", &T::level, "each includes those before it");
    field("createdAt", &T::created_at, "time at which they first got a level");
    field("updatedAt", &T::updated_at, "time of the last change");
  }
};

struct PermissionPage {
  std::vector<Permission> items;
  std::optional<std::string> next;  // the start of the next page; none: this was the last
};
struct PermissionAsk {
  size_t limit = 50;
  std::optional<std::string> after = {};  // `next` of the previous page
};

// The treatment of an existing level.
enum class LevelMode : uint8_t {
  kSet,
  kRaise,  // never lowers it
};

// Returns nullopt if the user has none.
protocol::Result<std::optional<Level>> LevelOn(const RecordReads& reads, const Resource& resource,
                                               const UserId& user);
// One point read.
protocol::Result<std::optional<Level>> LevelOnTenant(const RecordReads& reads, const UserId& user);
// Whether it is at least `least`.
protocol::Result<bool> HasLevel(const RecordReads& reads, const Resource& resource, const UserId& user,
                                Level least);

// Returns the time since when the user owns the resource without a break (empty if unknown), or nullopt.
protocol::Result<std::optional<std::string>> OwnsSince(const RecordReads& reads, const Resource& resource,
                                                       const UserId& user);

// FORBIDDEN, unless the actor is a service, an admin, or owns the resource.
protocol::Status RequireOwner(const RecordReads& reads, const Actor& actor, const Resource& resource);

// The user themselves may read it, too. NOT_FOUND: they have none.
protocol::Result<Permission> GetPermission(const RecordReads& reads, const Actor& actor,
                                           const Resource& resource, const UserId& user);
// In order of user ids. For actors who may change them.
protocol::Result<PermissionPage> MembersOf(const RecordReads& reads, const Actor& actor,
                                           const Resource& resource, const PermissionAsk& ask);
// In order of types and ids. For services, admins and the user themselves.
protocol::Result<PermissionPage> ResourcesOf(const RecordReads& reads, const Actor& actor, const UserId& user,
                                             const PermissionAsk& ask);

// Decisions. FORBIDDEN: the actor may not, or it would remove the last owner.
protocol::Result<Permission> PutPermission(RecordTransaction& tx, const Actor& actor,
                                           const Resource& resource, const UserId& user, Level level,
                                           LevelMode mode);
protocol::Status DeletePermission(RecordTransaction& tx, const Actor& actor, const Resource& resource,
                                  const UserId& user);

// Removes a user's void rows among at most `limit` rows after `after`. Returns the place to continue, or
// nullopt at the end.
protocol::Result<std::optional<std::string>> ClearPermissions(RecordTransaction& tx, const UserId& user,
                                                              const std::string& after, size_t limit);

// Part of a larger decision, which commits and has checked the actor: gives a level, or raises the present
// one.
protocol::Result<Permission> StageRaise(RecordTransaction& tx, const Actor& actor, const Resource& resource,
                                        const UserId& user, Level level);

}  // namespace parley::accounts

template <>
struct parley::protocol::EnumNames<parley::accounts::LevelMode> {
  static constexpr std::string_view kNames[] = {"set", "raise"};
};
