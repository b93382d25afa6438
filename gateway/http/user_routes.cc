// Routes of user records.
#include "accounts/users/user_changes.h"
#include "accounts/users/user_reads.h"
#include "features/host/once.h"
#include "features/host/records.h"
#include "features/people/asks.h"
#include "features/text_policy/asks.h"
#include "gateway/http/admin_acts.h"
#include "gateway/http/pages.h"
#include "gateway/http/route_traits.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"

namespace parley::gateway {
namespace {

using accounts::Editor;
using accounts::MaybeUser;
using accounts::RecordReads;
using accounts::RecordTransaction;
using accounts::SessionsToEnd;
using accounts::User;
using accounts::UserPage;
using accounts::UserView;
using protocol::Error;
using protocol::Reason;
using protocol::TenantId;
using protocol::UserId;

Editor EditorOf(const Call& call) {
  if (call.is_back_end()) return {};
  const bool is_admin = call.who.caller.role == threads::Role::kAdmin;
  return {is_admin ? Editor::Kind::kAdmin : Editor::Kind::kSelf, call.who.caller.user};
}

struct OneUser {
  UserView user;
  static constexpr void Fields(auto& field) { field("user", &OneUser::user, ""); }
};

void Make(const Call& call, accounts::NewUser args, Answering<OneUser> then) {
  features::DecideOnce<OneUser>(
      call, call.tenant(),
      [by = EditorOf(call), args = std::move(args), fresh = call.io.ids().Make(call.node().clock().Now())](
          RecordTransaction& tx) -> protocol::Result<OneUser> {
        PARLEY_TRY(user, accounts::MakeUser(tx, by, args, fresh));
        return OneUser{ViewOf(user)};
      },
      [](OneUser reply) { return reply; }, std::move(then));
}

struct UserListArgs : PageArgs {
  std::optional<protocol::Text<64>> prefix;
  std::optional<protocol::Text<2 * accounts::kEmailBytesMax>> email;
  std::optional<protocol::Text<accounts::kIdentityTypeBytesMax + 1 + accounts::kIdentityBytesMax>> identity;
  static constexpr void Fields(auto& field) {
    using T = UserListArgs;
    field("prefix", &T::prefix, "only users whose id begins with this");
    field("email", &T::email, "the user with this address; case does not matter");
    field("identity", &T::identity, "the user with this identity on a channel, as type:id");
    field("limit", &T::limit, kLimitAbout);
    field("cursor", &T::cursor, kCursorAbout);
  }
};

// Returns at most one user: an address or an identity belongs to one user only.
protocol::Result<UserPage> FindNamed(const RecordReads& reads, const UserListArgs& args) {
  PARLEY_TRY(found, args.email ? accounts::FindUserByEmail(reads, args.email->value)
                               : accounts::FindUserByIdentity(reads, protocol::Sure(args.identity).value));
  UserPage page;
  if (found) page.users.push_back(*std::move(found));
  return page;
}

// Reads one user more than the page has, to know whether another page follows.
protocol::Result<UserPage> ReadPage(const RecordReads& reads, const UserListArgs& args,
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

void List(const Call& call, UserListArgs args, Answering<Page<UserView>> then) {
  if (EditorOf(call).kind == Editor::Kind::kSelf)
    return then(ErrorFor(Reason::kOnlyAdministrators, "only admins and back ends list users"));
  if (args.prefix.has_value() + args.email.has_value() + args.identity.has_value() > 1)
    return then(Error::BadRequest("give at most one of prefix, email and identity"));
  const std::string list = "users/" + (args.prefix ? args.prefix->value : "");
  auto after = PositionIn(call, list, args.cursor);
  if (!after.ok()) return then(std::move(after.error()));
  ReadRecords<UserPage>(
      call.io, call.io.road(call.tenant()), call.tenant(),
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
      call.io, call.io.road(call.tenant()), call.tenant(),
      [id = args.user_id](const RecordReads& reads) -> protocol::Result<OneUser> {
        PARLEY_TRY(user, accounts::FindUser(reads, id));
        if (!user) return ErrorFor(Reason::kNoUser, "there is no such user");
        return OneUser{ViewOf(*user)};
      },
      std::move(then));
}

struct ChangeUserArgs : accounts::UserChange {
  UserId user_id;
  static constexpr void Fields(auto& field) {
    field("userId", &ChangeUserArgs::user_id, "the user");
    accounts::UserChange::Fields(field);
  }
};

// Users who change their own record, and back ends that keep records up to date, are not audited, unless the
// role changes.
bool IsAct(const Editor& by, const ChangeUserArgs& args) {
  return by.kind == Editor::Kind::kAdmin ? by.user != args.user_id || args.role : args.role.has_value();
}

protocol::Result<accounts::ChangedUser> ChangeOnRecord(RecordTransaction& tx, const Editor& by,
                                                       const ChangeUserArgs& args, accounts::AuditAct act) {
  if (IsAct(by, args)) {
    act.user_id = args.user_id;
    act.after = protocol::StatesOf({{"version", std::to_string(args.version.value + 1)}});
    if (args.role) act.after->members.emplace_back("role", protocol::NameOf(*args.role));
    PARLEY_CHECK_OK(RecordAct(tx, std::move(act)));
  }
  return accounts::ChangeUser(tx, by, args.user_id, args);
}

void PutChange(const Call& call, const ChangeUserArgs& args, const Answering<OneUser>& then) {
  DecideRecords<accounts::ChangedUser>(
      call.io, call.tenant(),
      [by = EditorOf(call), act = ActOf(call, "user.change"), args](RecordTransaction& tx) {
        return ChangeOnRecord(tx, by, args, act);
      },
      [&node = call.node(), tenant = call.tenant(), then](protocol::Result<accounts::ChangedUser> changed) {
        if (!changed.ok()) return then(std::move(changed.error()));
        if (changed->ends) node.Revoke(RevocationOf(tenant, *changed->ends));
        then(OneUser{ViewOf(changed->user)});
      });
}

// Other users read the display name, so the text policy judges it.
void ChangeUser(const Call& call, ChangeUserArgs args, Answering<OneUser> then) {
  const Editor by = EditorOf(call);
  threads::Texts texts;
  if (args.display_name.value) texts.others = args.display_name.value->value;
  if (by.kind != Editor::Kind::kSelf || by.user != args.user_id || texts.empty())
    return PutChange(call, args, then);
  JudgeOutsideThreads(call.io, call.who.caller, std::move(texts),
                      [call, args = std::move(args), then = std::move(then)](std::optional<Error> refused) {
                        if (refused) return then(*std::move(refused));
                        PutChange(call, args, then);
                      });
}

void Delete(const Call& call, UserArgs args, Answering<NoContent> then) {
  accounts::AuditAct act = ActOf(call, "user.delete");
  act.user_id = args.user_id;
  DecideRecords<SessionsToEnd>(
      call.io, call.tenant(),
      Recorded(std::move(act), [by = EditorOf(call), id = args.user_id](
                                   RecordTransaction& tx) { return accounts::DeleteUser(tx, by, id); }),
      [&io = call.io, tenant = call.tenant(), then](const protocol::Result<SessionsToEnd>& ends) {
        if (!ends.ok()) return then(ends.error());
        io.node().Revoke(RevocationOf(tenant, *ends));
        ClearDeparted(io, {tenant, ends->user});
        then(NoContent{});
      });
}

}  // namespace

std::vector<HttpRoute> UserRoutes() {
  using enum Method;
  const char* const kUsers = "/v1/users";
  const char* const kUser = "/v1/users/{userId}";
  return {
      RouteTo<accounts::NewUser, OneUser, Make>(kPost, kUsers, "createUser", kEverybody, 201,
                                                "Creates a user's record: for back ends and admins.",
                                                kAdministers),
      RouteTo<UserListArgs, Page<UserView>, List>(kGet, kUsers, "listUsers", kEverybody, 200,
                                                  "Lists users in order of userId: for back ends and admins.",
                                                  kLooks),
      RouteTo<UserArgs, OneUser, Get>(kGet, kUser, "getUser", kEverybody, 200, "Returns a user's record.",
                                      kLooks),
      RouteTo<ChangeUserArgs, OneUser, ChangeUser>(
          kPatch, kUser, "changeUser", kEverybody, 200,
          "Changes a user's record; users change only their own name and preferences.", kAdministers),
      RouteTo<UserArgs, NoContent, Delete>(
          kDelete, kUser, "deleteUser", kEverybody, 204,
          "Deletes the record, ends the user's sessions, and revokes their tokens and keys.", kAdministers),
  };
}

}  // namespace parley::gateway
