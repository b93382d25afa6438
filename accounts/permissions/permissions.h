// Who may do what on which resource: at most one level for each user on each resource.
//
// A resource that has an owner keeps one: the last cannot be lowered or removed. Owners are found by an index
// of their own, so that this takes a look at two entries however many members there are; and since the writer
// decides one after the other, two owners who leave at once do not both go.
//
// Who has no row on the tenant may connect, and may what their role gives; with `read` there they may connect
// and only read.
//
// What a user had is void once they were deleted, whoever is called so later: each row remembers how often
// its user had been deleted (standing.h). departure.h takes it away.
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
  protocol::Text<129> resource;
  UserId user_id;
  Level level = Level::kRead;
  protocol::Time created_at, updated_at;
  static constexpr void Fields(auto& field) {
    using T = Permission;
    field("resource", &T::resource, "`tenant`, or `type/id`");
    field("userId", &T::user_id, "who has it");
    field("level", &T::level, "each includes those before it");
    field("createdAt", &T::created_at, "when they were given a level first");
    field("updatedAt", &T::updated_at, "when it last changed");
  }
};

struct PermissionPage {
  std::vector<Permission> items;
  std::optional<std::string> next;  // where the next page begins; none: this was the last
};
struct PermissionAsk {
  size_t limit = 50;
  std::optional<std::string> after = {};  // `next` of the page before
};

// How a level that somebody has already is treated.
enum class LevelMode : uint8_t {
  kSet,
  kRaise,  // it is never lowered
};

// nullopt: none.
protocol::Result<std::optional<Level>> LevelOn(const RecordReads& reads, const Resource& resource,
                                               const UserId& user);
// One point read.
protocol::Result<std::optional<Level>> LevelOnTenant(const RecordReads& reads, const UserId& user);
// Whether it is at least `least`.
protocol::Result<bool> HasLevel(const RecordReads& reads, const Resource& resource, const UserId& user,
                                Level least);

// Since when the user owns the resource, without a break; empty where no time is known; nullopt: they do not.
protocol::Result<std::optional<std::string>> OwnsSince(const RecordReads& reads, const Resource& resource,
                                                       const UserId& user);

// FORBIDDEN, unless the actor is a service, an admin, or owns the resource.
protocol::Status RequireOwner(const RecordReads& reads, const Actor& actor, const Resource& resource);

// The user themselves may read it, too. NOT_FOUND: they have none.
protocol::Result<Permission> GetPermission(const RecordReads& reads, const Actor& actor,
                                           const Resource& resource, const UserId& user);
// In order of user ids. For whoever may change them.
protocol::Result<PermissionPage> MembersOf(const RecordReads& reads, const Actor& actor,
                                           const Resource& resource, const PermissionAsk& ask);
// In order of types and ids. For services, admins and the user themselves.
protocol::Result<PermissionPage> ResourcesOf(const RecordReads& reads, const Actor& actor, const UserId& user,
                                             const PermissionAsk& ask);

// Decisions. FORBIDDEN: not by this actor, or it would take the last owner.
protocol::Result<Permission> PutPermission(RecordStage& stage, const Actor& actor, const Resource& resource,
                                           const UserId& user, Level level, LevelMode mode);
protocol::Status DeletePermission(RecordStage& stage, const Actor& actor, const Resource& resource,
                                  const UserId& user);

// Takes away what is void of a user's, of at most `limit` rows after `after`. Where it goes on; nullopt: that
// was all.
protocol::Result<std::optional<std::string>> ClearPermissions(RecordStage& stage, const UserId& user,
                                                              const std::string& after, size_t limit);

// Part of a larger decision, which commits and has judged who asks: gives a level, or raises the one there
// is.
protocol::Result<Permission> StageRaise(RecordStage& stage, const Actor& actor, const Resource& resource,
                                        const UserId& user, Level level);

}  // namespace parley::accounts

template <>
struct parley::protocol::EnumNames<parley::accounts::LevelMode> {
  static constexpr std::string_view kNames[] = {"set", "raise"};
};
