// Routes of permissions: the level that a user has on a resource.
#include "accounts/permissions/permissions.h"

#include "accounts/permissions/resource_name.h"
#include "features/host/records.h"
#include "gateway/http/thread_permissions.h"
#include "protocol/base/sure.h"

namespace parley::gateway {
namespace {

using accounts::Level;
using accounts::LevelMode;
using accounts::Permission;
using accounts::PermissionPage;
using accounts::RecordReads;
using accounts::RecordTransaction;
using accounts::Resource;
using protocol::Error;
using protocol::ErrorCode;
using protocol::UserId;

struct PermissionListArgs : PageArgs {
  std::optional<accounts::ResourceName> resource;
  std::optional<UserId> user_id;
  static constexpr void Fields(auto& field) {
    using T = PermissionListArgs;
    field("resource", &T::resource,
          "lists the members of this resource: `tenant`, `threads/{threadId}` or `type/id`");
    field("userId", &T::user_id,
          "lists this user's resources, except threads; with a resource, only their level on it");
    field("limit", &T::limit, kLimitAbout);
    field("cursor", &T::cursor, kCursorAbout);
  }
};

Page<Permission> PageOfOne(std::optional<Permission> one) {
  Page<Permission> page;
  if (one) page.items.items.push_back(*std::move(one));
  return page;
}

void ListOfThread(const Call& call, const protocol::ThreadId& thread, const PermissionListArgs& args,
                  Answering<Page<Permission>> then) {
  if (!args.user_id) return ListThreadPermissions(call, {thread, args.limit, args.cursor}, std::move(then));
  FindThreadPermission(call, thread, *args.user_id,
                       [then = std::move(then)](protocol::Result<std::optional<Permission>> found) {
                         if (!found.ok()) return then(std::move(found.error()));
                         then(PageOfOne(*std::move(found)));
                       });
}

// A search of the records, for resources other than threads.
struct Search {
  accounts::Actor actor;
  std::optional<Resource> resource;
  std::optional<UserId> user;
  accounts::PermissionAsk ask;
};
protocol::Result<PermissionPage> Find(const RecordReads& reads, const Search& search) {
  if (!search.resource)
    return accounts::ResourcesOf(reads, search.actor, protocol::Sure(search.user), search.ask);
  if (!search.user) return accounts::MembersOf(reads, search.actor, *search.resource, search.ask);
  auto one = accounts::GetPermission(reads, search.actor, *search.resource, *search.user);
  if (!one.ok() && one.error().code != ErrorCode::kNotFound) return std::move(one.error());
  PermissionPage page;
  if (one.ok()) page.items.push_back(*std::move(one));
  return page;
}

void List(const Call& call, PermissionListArgs args, Answering<Page<Permission>> then) {
  if (!args.resource && !args.user_id) return then(Error::BadField("resource", "must be given, or userId"));
  if (const auto thread = args.resource ? accounts::ThreadOf(*args.resource) : std::nullopt)
    return ListOfThread(call, *thread, args, std::move(then));
  Search search{ActorOf(call), {}, args.user_id, {LimitOf(args.limit), {}}};
  std::string list = "permissions";
  if (args.resource) {
    auto resource = Resource::Parse(call.tenant(), args.resource->text);
    if (!resource.ok()) return then(std::move(resource.error()));
    list += " of " + resource->ToText();
    search.resource = *std::move(resource);
  }
  if (args.user_id) list += " by " + args.user_id->ToText();
  auto after = PositionIn(call, list, args.cursor);
  if (!after.ok()) return then(std::move(after.error()));
  search.ask.after = *std::move(after);
  ReadRecords<PermissionPage>(
      call.io, call.io.road(call.tenant()), call.tenant(),
      [search](const RecordReads& reads) { return Find(reads, search); },
      ToPage<PermissionPage, Permission>(call, list, std::move(then)));
}

struct OnePermission {
  Permission permission;
  static constexpr void Fields(auto& field) { field("permission", &OnePermission::permission, ""); }
};

Answering<Permission> Within(Answering<OnePermission> then) {
  return [then = std::move(then)](protocol::Result<Permission> permission) {
    if (!permission.ok()) return then(std::move(permission.error()));
    then(OnePermission{*std::move(permission)});
  };
}

// A change, with a flag that is set if it changes whether the user's sessions may write: level `read` on the
// tenant makes them read-only.
template <class T>
struct Changed {
  T made;
  bool other_sessions = false;
};

// Sessions keep the permission that they began with. If it changed, they end and their clients reconnect.
template <class T>
Answering<Changed<T>> EndSessionsOf(const Call& call, const UserId& user, Answering<T> then) {
  return [&node = call.node(), tenant = call.tenant(), user,
          then = std::move(then)](protocol::Result<Changed<T>> changed) {
    if (!changed.ok()) return then(std::move(changed.error()));
    if (changed->other_sessions)
      node.Revoke(
          {tenant, user, {}, {}, {}, protocol::CloseCode::kUnauthenticated, "your permissions have changed"});
    then(std::move(changed->made));
  };
}

protocol::Result<bool> OnlyReads(const RecordReads& reads, const Resource& resource, const UserId& user) {
  if (resource != Resource::Tenant(reads.tenant())) return false;
  PARLEY_TRY(level, accounts::LevelOnTenant(reads, user));
  return level == Level::kRead;
}

struct PutArgs {
  accounts::ResourceName resource;
  UserId user_id;
  Level level = Level::kRead;
  std::optional<LevelMode> mode;
  static constexpr void Fields(auto& field) {
    using T = PutArgs;
    field("resource", &T::resource, "the resource: `tenant`, `threads/{threadId}` or `type/id`");
    field("userId", &T::user_id, "the user");
    field("level", &T::level, "each level includes those before it");
    field("mode", &T::mode, "`raise` never lowers the present level; `set` if not given");
  }
};

void Put(const Call& call, PutArgs args, Answering<OnePermission> then) {
  const LevelMode mode = args.mode.value_or(LevelMode::kSet);
  if (const auto thread = accounts::ThreadOf(args.resource))
    return PutThreadPermission(call, {*thread, args.user_id, args.level, mode}, Within(std::move(then)));
  auto resource = Resource::Parse(call.tenant(), args.resource.text);
  if (!resource.ok()) return then(std::move(resource.error()));
  DecideRecords<Changed<Permission>>(
      call.io, call.tenant(),
      [actor = ActorOf(call), resource = *std::move(resource), user = args.user_id, level = args.level,
       mode](RecordTransaction& tx) -> protocol::Result<Changed<Permission>> {
        PARLEY_TRY(only_read, OnlyReads(tx, resource, user));
        PARLEY_TRY(made, accounts::PutPermission(tx, actor, resource, user, level, mode));
        const bool of_tenant = resource == Resource::Tenant(tx.tenant());
        return Changed<Permission>{made, of_tenant && only_read != (made.level == Level::kRead)};
      },
      EndSessionsOf<Permission>(call, args.user_id, Within(std::move(then))));
}

struct DeleteArgs {
  accounts::ResourceName resource;
  UserId user_id;
  static constexpr void Fields(auto& field) {
    field("resource", &DeleteArgs::resource, "the resource");
    field("userId", &DeleteArgs::user_id, "the user");
  }
};

void Delete(const Call& call, DeleteArgs args, Answering<NoContent> then) {
  if (const auto thread = accounts::ThreadOf(args.resource))
    return RemoveFromThread(call, *thread, args.user_id, std::move(then));
  auto resource = Resource::Parse(call.tenant(), args.resource.text);
  if (!resource.ok()) return then(std::move(resource.error()));
  DecideRecords<Changed<NoContent>>(
      call.io, call.tenant(),
      [actor = ActorOf(call), resource = *std::move(resource),
       user = args.user_id](RecordTransaction& tx) -> protocol::Result<Changed<NoContent>> {
        PARLEY_TRY(only_read, OnlyReads(tx, resource, user));
        PARLEY_CHECK_OK(accounts::DeletePermission(tx, actor, resource, user));
        return Changed<NoContent>{{}, only_read};
      },
      EndSessionsOf<NoContent>(call, args.user_id, std::move(then)));
}

}  // namespace

std::vector<HttpRoute> PermissionRoutes() {
  using enum Method;
  const char* const kPermissions = "/v1/permissions";
  return {
      RouteTo<PermissionListArgs, Page<Permission>, List>(
          kGet, kPermissions, "listPermissions", kEverybody, 200,
          "The members of a resource, or the resources of a user.", {.looks = true}),
      RouteTo<PutArgs, OnePermission, Put>(
          kPut, kPermissions, "putPermission", kEverybody, 200,
          "Gives a level; for owners of the resource, services and admins. The last owner stays one.",
          {.administers = true}),
      RouteTo<DeleteArgs, NoContent, Delete>(kDelete, kPermissions, "deletePermission", kEverybody, 204,
                                             "Removes a level that putPermission gave.",
                                             {.administers = true}),
  };
}

}  // namespace parley::gateway
