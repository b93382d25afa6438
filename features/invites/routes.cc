// Routes of invitations to a resource by e-mail.
#include "accounts/permissions/resource_name.h"
#include "accounts/users/user_rules.h"
#include "features/host/once.h"
#include "features/host/pages.h"
#include "features/host/records.h"
#include "features/invites/feature.h"
#include "features/invites/invites.h"
#include "protocol/base/sure.h"

namespace parley::features {
namespace {

using accounts::Permission;
using accounts::RecordReads;
using accounts::RecordTransaction;
using accounts::Resource;
using accounts::ResourceName;

// An address in the form in which user records keep it.
struct EmailAddress {
  std::string text;
};
const char* Read(const protocol::Value& value, EmailAddress* out) {
  const std::string_view* text = value.as_text();
  auto folded = text ? accounts::FoldEmail(*text) : std::nullopt;
  if (!folded) return "must be an e-mail address";
  out->text = *std::move(folded);
  return nullptr;
}

struct MakeInviteArgs {
  EmailAddress email;
  accounts::Level level = accounts::Level::kRead;
  std::optional<ResourceName> resource;
  std::optional<protocol::Bounded<1, kInviteSecondsMax>> ttl_seconds;
  static constexpr void Fields(auto& field) {
    using T = MakeInviteArgs;
    field("email", &T::email, "the address to invite; case does not matter");
    field("level", &T::level, "the level that accepting gives");
    field("resource", &T::resource, "the resource: `tenant` if not given, or `type/id`");
    field("ttlSeconds", &T::ttl_seconds, "time in which it can be accepted; a week if not given");
  }
};
struct MadeInvite {
  Invite invite;
  protocol::Omit<std::string> token;
  static constexpr void Fields(auto& field) {
    field("invite", &MadeInvite::invite, "");
    field("token", &MadeInvite::token, "shown once; the user with this address accepts with it");
  }
};

void OnCreateInvite(const Call& call, MakeInviteArgs args, Answering<MadeInvite> then) {
  auto resource = Resource::Parse(call.tenant(), args.resource ? args.resource->text : "tenant");
  if (!resource.ok()) return then(std::move(resource.error()));
  const int64_t ttl = args.ttl_seconds ? args.ttl_seconds->value : kInviteSecondsDefault;
  const NewInvite wish{args.email.text, *std::move(resource), args.level, ttl};
  DecideOnce<MadeInvite>(
      call, call.tenant(),
      [actor = ActorOf(call), wish, secret = NewInviteSecret(call.host.clock().Now())](
          RecordTransaction& tx) -> protocol::Result<MadeInvite> {
        PARLEY_TRY(invite, CreateInvite(tx, actor, wish, secret));
        return MadeInvite{std::move(invite), {secret.token}};
      },
      [](MadeInvite reply) {
        reply.token.value.reset();
        return reply;
      },
      std::move(then));
}

struct InviteListArgs : PageArgs {
  std::optional<ResourceName> resource;
  static constexpr void Fields(auto& field) {
    using T = InviteListArgs;
    field("resource", &T::resource, "only invitations to this resource; all of the tenant's if not given");
    field("limit", &T::limit, kLimitAbout);
    field("cursor", &T::cursor, kCursorAbout);
  }
};

void OnListInvites(const Call& call, InviteListArgs args, Answering<Page<Invite>> then) {
  InviteAsk ask{{}, LimitOf(args.limit), {}};
  std::string list = "invites";
  if (args.resource) {
    auto resource = Resource::Parse(call.tenant(), args.resource->text);
    if (!resource.ok()) return then(std::move(resource.error()));
    list += " to " + resource->ToText();
    ask.resource = *std::move(resource);
  }
  auto after = PositionIn(call, list, args.cursor);
  if (!after.ok()) return then(std::move(after.error()));
  ask.after = *std::move(after);
  ReadRecords<InvitePage>(
      call.host, call.host.road(call.tenant()), call.tenant(),
      [actor = ActorOf(call), ask](const RecordReads& reads) { return ListInvites(reads, actor, ask); },
      ToPage<InvitePage, Invite>(call, list, std::move(then)));
}

struct InviteArgs {
  protocol::Text<64> invite_id;
  static constexpr void Fields(auto& field) { field("inviteId", &InviteArgs::invite_id, "the invitation"); }
};
struct OneInvite {
  Invite invite;
  static constexpr void Fields(auto& field) { field("invite", &OneInvite::invite, ""); }
};

void OnRevokeInvite(const Call& call, InviteArgs args, Answering<OneInvite> then) {
  DecideRecords<OneInvite>(
      call.host, call.tenant(),
      [actor = ActorOf(call),
       id = args.invite_id.value](RecordTransaction& tx) -> protocol::Result<OneInvite> {
        PARLEY_TRY(invite, RevokeInvite(tx, actor, id));
        return OneInvite{std::move(invite)};
      },
      std::move(then));
}

struct AcceptArgs {
  protocol::Text<128> token;
  static constexpr void Fields(auto& field) { field("token", &AcceptArgs::token, "the invitation's token"); }
};
struct Accepted {
  Permission permission;
  static constexpr void Fields(auto& field) { field("permission", &Accepted::permission, ""); }
};

void OnAcceptInvite(const Call& call, AcceptArgs args, Answering<Accepted> then) {
  DecideRecords<Accepted>(
      call.host, call.tenant(),
      [user = protocol::Sure(call.who.caller.user),
       token = args.token.value](RecordTransaction& tx) -> protocol::Result<Accepted> {
        PARLEY_TRY(permission, AcceptInvite(tx, user, token));
        return Accepted{std::move(permission)};
      },
      std::move(then));
}

}  // namespace

std::vector<HttpRoute> InviteRoutes() {
  using enum Method;
  const char* const kInvites = "/v1/invites";
  return {
      RouteTo<MakeInviteArgs, MadeInvite, OnCreateInvite>(
          kPost, kInvites, "createInvite", kEverybody, 201,
          "Invites an address; for owners of the resource and services.",
          {.administers = true, .secret = true}),
      RouteTo<InviteListArgs, Page<Invite>, OnListInvites>(kGet, kInvites, "listInvites", kEverybody, 200,
                                                           "Lists invitations, the newest first.",
                                                           {.looks = true}),
      RouteTo<InviteArgs, OneInvite, OnRevokeInvite>(
          kPost, "/v1/invites/{inviteId}/revoke", "revokeInvite", kEverybody, 200,
          "Revokes an invitation, which can then no longer be accepted.", {.administers = true}),
      RouteTo<AcceptArgs, Accepted, OnAcceptInvite>(
          kPost, "/v1/invites/accept", "acceptInvite", kUsers, 200,
          "Gives the invitation's level to the user with its address, and uses it up."),
  };
}

}  // namespace parley::features
