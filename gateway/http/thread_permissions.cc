#include "gateway/http/thread_permissions.h"

#include <vector>

#include "gateway/ops/router.h"
#include "protocol/base/reason.h"
#include "protocol/ops/members.h"
#include "threads/members/manage_participants.h"
#include "threads/model/rows.h"
#include "threads/run/write_op.h"

namespace parley::gateway {
namespace {

using accounts::Level;
using accounts::LevelMode;
using protocol::Error;
using protocol::ErrorCode;
using protocol::Reason;
using protocol::ThreadId;
using protocol::UserId;

// Participants who may send files but not write appear as `read`, since levels have no name for them.
Level LevelFor(protocol::Permission permission) {
  if (permission == protocol::Permission::kOwner) return Level::kOwner;
  return permission == protocol::Permission::kWrite ? Level::kWrite : Level::kRead;
}

protocol::Permission PermissionFor(Level level) {
  if (level == Level::kOwner) return protocol::Permission::kOwner;
  return level == Level::kWrite ? protocol::Permission::kWrite : protocol::Permission::kRead;
}

// Participants do not record when their permission last changed, so both times are that of joining.
accounts::Permission ShownOf(const ThreadId& thread, const protocol::Participant& participant) {
  return {{"threads/" + thread.ToText()},
          participant.user_id,
          LevelFor(participant.permission),
          participant.joined_at,
          participant.joined_at};
}

Error Unreadable() {
  return {ErrorCode::kInternal, "an answer cannot be read"};
}

protocol::Result<accounts::Permission> ReadOne(const ThreadId& thread, const protocol::Value* value) {
  protocol::Participant participant;
  if (!value || !protocol::Bind(*value, &participant).ok()) return Unreadable();
  return ShownOf(thread, participant);
}

protocol::Result<Page<accounts::Permission>> ReadPage(const ThreadId& thread, const std::string& answer) {
  protocol::Document document;
  if (!threads::DecodeStored(answer, &document)) return Unreadable();
  const protocol::Value* list = document.root.Find("participants");
  const protocol::Value* cursor = document.root.Find("cursor");
  if (!list || !list->as_array() || !cursor) return Unreadable();
  Page<accounts::Permission> page;
  for (const protocol::Value& value : *list->as_array()) {
    PARLEY_TRY(one, ReadOne(thread, &value));
    page.items.items.push_back(std::move(one));
  }
  if (cursor->as_text()) page.cursor = *cursor->as_text();
  return page;
}

Done ToPermission(const ThreadId& thread, Answering<accounts::Permission> then) {
  return [thread, then = std::move(then)](Answer answer) {
    if (!answer.ok()) return then(std::move(answer.error()));
    protocol::Document document;
    if (!threads::DecodeStored(*answer, &document)) return then(Unreadable());
    then(ReadOne(thread, document.root.Find("participant")));
  };
}

// Ops need an active tenant, although other administration does not.
protocol::Status RequireActive(const Call& call) {
  const accounts::TenantPtr tenant = call.node().tenants().Find(call.tenant().ToText());
  if (call.who.is_operator || (tenant && tenant->status == accounts::TenantStatus::kActive))
    return protocol::Ok();
  return ErrorFor(Reason::kTenantInactive, "the tenant is not active");
}

// Routes one of the participant ops, which reads the texts before this returns.
void RouteOn(const Call& call, std::string_view op, const ThreadId& thread, const UserId& user,
             std::optional<Level> level, Done done) {
  const std::string id = thread.ToText();
  protocol::Map args{{"threadId", protocol::Value(std::string_view(id))},
                     {"userId", protocol::Value(std::string_view(user.ToText()))}};
  if (level) args.emplace_back("permission", protocol::Value(protocol::NameOf(PermissionFor(*level))));
  Route(call.io, op, call.who.caller, protocol::Value(std::move(args)), std::move(done));
}

// Raising has no op of its own: a client that uses ops reads the permission and sets the new one.
void Raise(const Call& call, const ThreadGrant& grant, Done done) {
  threads::Job job;
  job.tenant = call.tenant();
  job.thread = grant.thread;
  job.decide = [caller = call.who.caller, grant](threads::Transaction& tx) {
    return threads::Run<threads::RaiseParticipant>(
        tx, caller, {grant.thread, grant.user, {}, PermissionFor(grant.level)});
  };
  job.done = std::move(done);
  call.io.Submit(std::move(job));
}

void Change(const Call& call, const ThreadGrant& grant, Done done) {
  if (grant.mode == LevelMode::kRaise) return Raise(call, grant, std::move(done));
  RouteOn(call, protocol::ParticipantUpdate::kName, grant.thread, grant.user, grant.level, std::move(done));
}

// The list is in order of user id, so reading stops once it has passed the user.
void FindFrom(const Call& call, const ThreadListAsk& ask, const UserId& user,
              const Answering<std::optional<accounts::Permission>>& then) {
  ListThreadPermissions(
      call, ask, [call, ask, user, then](protocol::Result<Page<accounts::Permission>> page) {
        if (!page.ok()) return then(std::move(page.error()));
        for (const accounts::Permission& one : page->items.items) {
          if (one.user_id == user) return then(std::optional(one));
        }
        const bool passed = !page->items.items.empty() && user < page->items.items.back().user_id;
        if (passed || !page->cursor) return then(std::optional<accounts::Permission>());
        FindFrom(call, {ask.thread, ask.limit, protocol::Text<2048>{*page->cursor}}, user, then);
      });
}

}  // namespace

void ListThreadPermissions(const Call& call, const ThreadListAsk& ask,
                           Answering<Page<accounts::Permission>> then) {
  if (auto active = RequireActive(call); !active.ok()) return then(std::move(active.error()));
  const std::string thread = ask.thread.ToText();
  protocol::Map args{{"threadId", protocol::Value(std::string_view(thread))},
                     {"limit", protocol::Value(static_cast<int64_t>(LimitOf(ask.limit)))}};
  if (ask.cursor) args.emplace_back("cursor", protocol::Value(std::string_view(ask.cursor->value)));
  Route(call.io, protocol::ParticipantList::kName, call.who.caller, protocol::Value(std::move(args)),
        [id = ask.thread, then = std::move(then)](Answer answer) {
          if (!answer.ok()) return then(std::move(answer.error()));
          then(ReadPage(id, *answer));
        });
}

void FindThreadPermission(const Call& call, const ThreadId& thread, const UserId& user,
                          Answering<std::optional<accounts::Permission>> then) {
  FindFrom(call, {thread, protocol::PageLimit{kPageMax}, {}}, user, then);
}

// If another request adds the user between the two ops, its permission stays, as if it had come last.
void PutThreadPermission(const Call& call, const ThreadGrant& grant, Answering<accounts::Permission> then) {
  if (auto active = RequireActive(call); !active.ok()) return then(std::move(active.error()));
  Done done = ToPermission(grant.thread, std::move(then));
  Change(call, grant, [call, grant, done = std::move(done)](Answer answer) {
    if (answer.ok() || answer.error().code != ErrorCode::kNotFound) return done(std::move(answer));
    RouteOn(call, protocol::ParticipantAdd::kName, grant.thread, grant.user, grant.level, done);
  });
}

void RemoveFromThread(const Call& call, const ThreadId& thread, const UserId& user,
                      Answering<NoContent> then) {
  if (auto active = RequireActive(call); !active.ok()) return then(std::move(active.error()));
  RouteOn(call, protocol::ParticipantRemove::kName, thread, user, {},
          [then = std::move(then)](Answer answer) {
            if (!answer.ok()) return then(std::move(answer.error()));
            then(NoContent{});
          });
}

}  // namespace parley::gateway
