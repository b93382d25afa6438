// presence.get: which users are online, of those whose presence the caller may see. Users appear
// offline to strangers and to users whom they block.
#include "fanout/shared_threads.h"
#include "features/host/cold_reads.h"
#include "features/people/operations.h"
#include "features/people/ops.h"

namespace parley::features {
namespace {

using threads::ReadAnswer;

ReadAnswer Shown(const threads::ReadContext& context, const PresenceGet::Args& args,
                 const std::set<protocol::UserId>& online) {
  PARLEY_TRY(shown, fanout::WhoseToSee(context, online));
  PresenceGet::Reply reply;
  for (const protocol::UserId& user : args.user_ids.items) {
    bool seen = shown.contains(user);
    if (seen && context.caller.user) {
      PARLEY_TRY(blocked, threads::AreBlocked(context, *context.caller.user, user));
      seen = !blocked;
    }
    reply.presence.items.push_back({user, seen});
  }
  return protocol::Encode(reply);
}

// Presence is in the host's memory, which its own thread alone reads; rows can be read on another one.
void GetPresence(Host& host, const OpCall& call, Done done) {
  host.Await(threads::Waits::kInbox, [&host, call, done = std::move(done)](bool reached) {
    if (!reached) return done(IndexBehind());
    auto online = host.OnlineOf(call.caller.tenant, call.As<PresenceGet>().user_ids.items);
    ReadIndexed(
        host, threads::Waits::kNothing, call.road,
        [&host = std::as_const(host), call, online = std::move(online)](const storage::Reader& reader) {
          return Shown(host.ContextOf(reader, call.caller), call.As<PresenceGet>(), online);
        },
        done);
  });
}

}  // namespace

Operation PresenceOp() {
  return HandledOp<PresenceGet>(&GetPresence, threads::Waits::kInbox);
}

}  // namespace parley::features
