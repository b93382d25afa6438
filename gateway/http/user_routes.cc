// Users and their API keys (http.md §3).
#include "accounts/tokens/refresh_token.h"
#include "accounts/users/api_key.h"
#include "accounts/users/user_changes.h"
#include "accounts/users/user_reads.h"
#include "gateway/http/once.h"
#include "gateway/http/pages.h"
#include "gateway/http/slowly.h"
#include "gateway/records.h"

namespace parley::gateway {
namespace {

using accounts::ApiKey;
using accounts::ApiKeyView;
using accounts::Editor;
using accounts::MaybeUser;
using accounts::RecordReads;
using accounts::RecordStage;
using accounts::SessionsToEnd;
using accounts::User;
using accounts::UserPage;
using accounts::UserView;
using protocol::Error;
using protocol::ErrorCode;
using protocol::TenantId;
using protocol::UserId;

Editor EditorOf(const Call& call) {
  if (call.is_back_end()) return {};
  const bool is_admin = call.who.caller.role == threads::Role::kAdmin;
  return {is_admin ? Editor::Kind::kAdmin : Editor::Kind::kSelf, call.who.caller.user};
}

// --- users

struct OneUser {
  UserView user;
  static constexpr void Fields(auto& field) { field("user", &OneUser::user, ""); }
};

void Make(const Call& call, accounts::NewUser args, Answering<OneUser> then) {
  DecideOnce<OneUser>(
      call, call.tenant(),
      [by = EditorOf(call), args = std::move(args),
       fresh = call.lane.ids().Make(call.node().clock().Now())](RecordStage& stage) -> protocol::Result<OneUser> {
        PARLEY_TRY(user, accounts::MakeUser(stage, by, args, fresh));
        return OneUser{ViewOf(user)};
      },
      [](OneUser reply) { return reply; }, std::move(then));
}

struct ListArgs : PageArgs {
  std::optional<protocol::Text<64>> prefix;
  std::optional<protocol::Text<2 * accounts::kEmailBytesMax>> email;
  std::optional<protocol::Text<accounts::kIdentityTypeBytesMax + 1 + accounts::kIdentityBytesMax>> identity;
  static constexpr void Fields(auto& field) {
    using T = ListArgs;
    field("prefix", &T::prefix, "those whose id begins so");
    field("email", &T::email, "the one with this address, however it is typed");
    field("identity", &T::identity, "the one known so on a channel: type:id");
    field("limit", &T::limit, kLimitAbout);
    field("cursor", &T::cursor, kCursorAbout);
  }
};

// At most one: what names a user names one alone.
protocol::Result<UserPage> FindNamed(const RecordReads& reads, const ListArgs& args) {
  PARLEY_TRY(found, args.email ? accounts::FindUserByEmail(reads, args.email->value)
                               : accounts::FindUserByIdentity(reads, args.identity->value));
  UserPage page;
  if (found) page.users.push_back(*std::move(found));
  return page;
}

// One more than a page tells whether another follows.
protocol::Result<UserPage> ReadPage(const RecordReads& reads, const ListArgs& args,
                                    const std::optional<std::string>& after) {
  if (args.email || args.identity) return FindNamed(reads, args);
  const size_t limit = LimitOf(args.limit);
  PARLEY_TRY(page, accounts::ListUsers(reads, {args.prefix ? args.prefix->value : "", after, limit + 1}));
  page.last.reset();
  if (page.users.size() > limit) {
    page.users.resize(limit);
    page.last = page.users.back().id.ToText();
  }
  return page;
}

void List(const Call& call, ListArgs args, Answering<Page<UserView>> then) {
  if (EditorOf(call).kind == Editor::Kind::kSelf)
    return then(Error(ErrorCode::kForbidden, "users do not list users"));
  if (args.prefix.has_value() + args.email.has_value() + args.identity.has_value() > 1)
    return then(Error::BadRequest("a list is of one condition"));
  const std::string list = "users/" + (args.prefix ? args.prefix->value : "");
  auto after = PositionIn(call, list, args.cursor);
  if (!after.ok()) return then(std::move(after.error()));
  ReadRecords<UserPage>(
      call.lane, call.lane.road(), call.tenant(),
      [args, after = *std::move(after)](const RecordReads& reads) { return ReadPage(reads, args, after); },
      [call, list, then = std::move(then)](protocol::Result<UserPage> found) {
        if (!found.ok()) return then(std::move(found.error()));
        Page<UserView> page;
        for (const User& user : found->users) page.items.items.push_back(ViewOf(user));
        if (found->last) page.cursor = CursorAt(call, list, *found->last);
        then(std::move(page));
      });
}

struct UserArgs {
  UserId user_id;
  static constexpr void Fields(auto& field) { field("userId", &UserArgs::user_id, "the user"); }
};

void Get(const Call& call, UserArgs args, Answering<OneUser> then) {
  if (auto may = RequireAccess(EditorOf(call), args.user_id); !may.ok()) return then(std::move(may.error()));
  ReadRecords<OneUser>(
      call.lane, call.lane.road(), call.tenant(),
      [id = args.user_id](const RecordReads& reads) -> protocol::Result<OneUser> {
        PARLEY_TRY(user, accounts::FindUser(reads, id));
        if (!user) return Error(ErrorCode::kNotFound, "there is no such user");
        return OneUser{ViewOf(*user)};
      },
      std::move(then));
}

struct ChangeArgs : accounts::UserChange {
  UserId user_id;
  static constexpr void Fields(auto& field) {
    field("userId", &ChangeArgs::user_id, "the user");
    accounts::UserChange::Fields(field);
  }
};

void Change(const Call& call, ChangeArgs args, Answering<OneUser> then) {
  DecideRecords<accounts::ChangedUser>(
      call.lane, call.tenant(),
      [by = EditorOf(call), args = std::move(args)](RecordStage& stage) {
        return accounts::ChangeUser(stage, by, args.user_id, args);
      },
      [&node = call.node(), tenant = call.tenant(), then](protocol::Result<accounts::ChangedUser> changed) {
        if (!changed.ok()) return then(std::move(changed.error()));
        if (changed->ends) node.Revoke(RevocationOf(tenant, *changed->ends));
        then(OneUser{ViewOf(changed->user)});
      });
}

// Step by step, so that others' writes come in between. What fails here is left where it is: it is void anyway.
void ClearSoon(Lane& lane, const TenantId& tenant, const UserId& user) {
  DecideRecords<bool>(
      lane, tenant, [user](RecordStage& stage) { return accounts::ClearDeleted(stage, user); },
      [&lane, tenant, user](const protocol::Result<bool>& more) {
        if (more.ok() && *more) ClearSoon(lane, tenant, user);
      });
}

void Delete(const Call& call, UserArgs args, Answering<NoContent> then) {
  DecideRecords<SessionsToEnd>(
      call.lane, call.tenant(),
      [by = EditorOf(call), id = args.user_id](RecordStage& stage) { return accounts::DeleteUser(stage, by, id); },
      [&lane = call.lane, tenant = call.tenant(), then](const protocol::Result<SessionsToEnd>& ends) {
        if (!ends.ok()) return then(ends.error());
        lane.node().Revoke(RevocationOf(tenant, *ends));
        ClearSoon(lane, tenant, ends->user);
        then(NoContent{});
      });
}

// --- API keys

// A key acts as its user, so nobody else makes one or sees it but those who may act as everybody.
protocol::Status RequireOwn(const Call& call, const UserId& user) {
  if (call.is_back_end() || call.who.caller.user == user) return protocol::Ok();
  return Error(ErrorCode::kForbidden, "these are another user's keys");
}

// Whoever asked may have lost what they asked with while a hash was computed; then no key outlives it.
std::function<protocol::Status(const RecordStage&)> StillThere(const Call& call) {
  if (call.is_back_end()) return [](const RecordStage&) { return protocol::Ok(); };
  Knock knock;
  knock.credential = call.credential;
  knock.writes = true;
  if (knock.credential.starts_with(accounts::kApiKeyPrefix))
    knock.proven = {call.tenant(), *call.who.caller.user, call.who.key_id};
  return [&authenticator = call.node().authenticator(), knock](const RecordStage& stage) -> protocol::Status {
    auto judged = authenticator.Judge(stage.reader(), knock);
    return judged.ok() ? protocol::Ok() : protocol::Status(std::move(judged.error()));
  };
}

struct MakeKeyArgs : accounts::NewApiKey {
  UserId user_id;
  static constexpr void Fields(auto& field) {
    field("userId", &MakeKeyArgs::user_id, "whom it acts as");
    accounts::NewApiKey::Fields(field);
  }
};
struct MadeKey {
  ApiKeyView key;
  protocol::Omit<std::string> secret;
  static constexpr void Fields(auto& field) {
    field("apiKey", &MadeKey::key, "");
    field("secret", &MadeKey::secret, "shown once");
  }
};

void StoreKey(const Call& call, MakeKeyArgs args, accounts::NewSecret secret, Answering<MadeKey> then) {
  DecideOnce<MadeKey>(
      call, call.tenant(),
      [still_there = StillThere(call), args = std::move(args),
       secret = std::move(secret)](RecordStage& stage) -> protocol::Result<MadeKey> {
        PARLEY_CHECK_OK(still_there(stage));
        PARLEY_TRY(key, accounts::MakeApiKey(stage, args.user_id, args, secret));
        return MadeKey{ViewOf(key), {secret.secret}};
      },
      [](MadeKey reply) {
        reply.secret.value.reset();
        return reply;
      },
      std::move(then));
}

void MakeKey(const Call& call, MakeKeyArgs args, Answering<MadeKey> then) {
  if (auto may = RequireOwn(call, args.user_id); !may.ok()) return then(std::move(may.error()));
  MakeSlowly<accounts::NewSecret>(
      call.lane, NewSecretOf(call, accounts::kApiKeyPrefix),
      [call, args = std::move(args), then = std::move(then)](protocol::Result<accounts::NewSecret> secret) {
        if (!secret.ok()) return then(std::move(secret.error()));
        StoreKey(call, args, *std::move(secret), then);
      });
}

struct ListKeysArgs : PageArgs {
  UserId user_id;
  static constexpr void Fields(auto& field) {
    field("userId", &ListKeysArgs::user_id, "the user");
    field("limit", &ListKeysArgs::limit, kLimitAbout);
    field("cursor", &ListKeysArgs::cursor, kCursorAbout);
  }
};

void ListKeys(const Call& call, ListKeysArgs args, Answering<Page<ApiKeyView>> then) {
  if (auto may = RequireOwn(call, args.user_id); !may.ok()) return then(std::move(may.error()));
  ReadRecords<std::vector<ApiKey>>(
      call.lane, call.lane.road(), call.tenant(),
      [id = args.user_id](const RecordReads& reads) { return accounts::ListApiKeys(reads, id); },
      [call, args, then = std::move(then)](protocol::Result<std::vector<ApiKey>> keys) {
        if (!keys.ok()) return then(std::move(keys.error()));
        std::vector<ApiKeyView> all;
        for (const ApiKey& key : *keys) all.push_back(ViewOf(key));
        then(PageOfAll(call, "api-keys/" + args.user_id.ToText(), args, std::move(all),
                       [](const ApiKeyView& key) { return key.key_id; }));
      });
}

struct KeyArgs {
  UserId user_id;
  protocol::Text<64> key_id;
  static constexpr void Fields(auto& field) {
    field("userId", &KeyArgs::user_id, "the user");
    field("keyId", &KeyArgs::key_id, "the key");
  }
};

// With the key goes what came from it.
protocol::Result<std::vector<SessionsToEnd>> TakeAway(RecordStage& stage, const KeyArgs& args) {
  PARLEY_TRY(ends, accounts::RevokeTokensOfKey(stage, args.user_id, args.key_id.value));
  PARLEY_TRY(own, accounts::DeleteApiKey(stage, args.user_id, args.key_id.value));
  ends.push_back(std::move(own));
  return std::move(ends);
}

void DeleteKey(const Call& call, KeyArgs args, Answering<NoContent> then) {
  if (auto may = RequireOwn(call, args.user_id); !may.ok()) return then(std::move(may.error()));
  DecideRecords<std::vector<SessionsToEnd>>(
      call.lane, call.tenant(), [args = std::move(args)](RecordStage& stage) { return TakeAway(stage, args); },
      [&node = call.node(), tenant = call.tenant(),
       then](const protocol::Result<std::vector<SessionsToEnd>>& ends) {
        if (!ends.ok()) return then(ends.error());
        for (const SessionsToEnd& one : *ends) node.Revoke(RevocationOf(tenant, one));
        then(NoContent{});
      });
}

constexpr HttpRoute::Traits kLooks{.looks = true}, kAdministers{.administers = true};
constexpr HttpRoute::Traits kSecretly{.administers = true, .secret = true};

}  // namespace

std::vector<HttpRoute> UserRoutes() {
  using enum Method;
  const char* const kUsers = "/v1/users";
  const char* const kUser = "/v1/users/{userId}";
  const char* const kKeys = "/v1/users/{userId}/api-keys";
  return {
      RouteTo<accounts::NewUser, OneUser, Make>(kPost, kUsers, "createUser", kEverybody, 201,
                                                "Makes a user's record: for back ends and admins.", kAdministers),
      RouteTo<ListArgs, Page<UserView>, List>(kGet, kUsers, "listUsers", kEverybody, 200,
                                              "Users, in order of userId: for back ends and admins.", kLooks),
      RouteTo<UserArgs, OneUser, Get>(kGet, kUser, "getUser", kEverybody, 200, "A user's record.", kLooks),
      RouteTo<ChangeArgs, OneUser, Change>(kPatch, kUser, "changeUser", kEverybody, 200,
                                           "Changes it; users change only their own name and preferences.",
                                           kAdministers),
      RouteTo<UserArgs, NoContent, Delete>(
          kDelete, kUser, "deleteUser", kEverybody, 204,
          "Takes the record away, ends the user's sessions, and voids their tokens and keys.", kAdministers),
      RouteTo<MakeKeyArgs, MadeKey, MakeKey>(kPost, kKeys, "createApiKey", kEverybody, 201,
                                             "Makes a key with which programs act as the user.", kSecretly),
      RouteTo<ListKeysArgs, Page<ApiKeyView>, ListKeys>(kGet, kKeys, "listApiKeys", kEverybody, 200,
                                                        "The user's keys, without secrets.", kLooks),
      RouteTo<KeyArgs, NoContent, DeleteKey>(kDelete, "/v1/users/{userId}/api-keys/{keyId}", "deleteApiKey",
                                             kEverybody, 204,
                                             "The key and the tokens that came from it open nothing from now on.",
                                             kAdministers),
  };
}

}  // namespace parley::gateway
