#include "gateway/ws/open_threads.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "features/host/cold_reads.h"
#include "gateway/ws/session_pieces.h"
#include "protocol/base/reason.h"
#include "threads/lifecycle/thread_reads.h"
#include "threads/model/requests.h"
#include "threads/model/thread_kinds.h"

namespace parley::gateway {
namespace {

using protocol::Error;

constexpr size_t kTypesInMax = 16;  // in more threads than this, typing lapses after its TTL

threads::Result<std::optional<HiddenPairs::Between>> ReadBetween(const threads::ReadContext& context,
                                                                 const threads::ThreadRow& head) {
  const auto parties = threads::PartiesOf(head.item);
  if (!parties) return std::optional<HiddenPairs::Between>();
  PARLEY_TRY(blocked, threads::AreBlocked(context, parties->one, parties->other));
  return std::optional(HiddenPairs::Between{*parties, blocked, threads::BlocksHoldIn(head)});
}

// With the moderators' decisions about the caller.
auto ReadingOwnState(const Node& node, const threads::Caller& caller, const protocol::ThreadId& thread) {
  return [&node, caller, thread](const storage::Reader& reader) -> threads::Result<threads::Standing> {
    const threads::ReadContext context = node.ContextOf(reader, caller);
    PARLEY_TRY(standing, threads::StandingOf(context, thread));
    PARLEY_TRY(state, threads::OwnState(context));
    standing.barriers.state = state;
    return std::move(standing);
  };
}

auto ReadingStanding(const Node& node, const threads::Caller& caller, const protocol::ThreadId& thread) {
  return [&node, caller, thread](const storage::Reader& reader) {
    return threads::StandingOf(node.ContextOf(reader, caller), thread);
  };
}

// Calls `then` on the I/O thread's loop, after the events of everything committed in the thread so far: the
// executor hands those over before it takes the next command. This command changes nothing.
void AfterEvents(IoThread& io, const protocol::TenantId& tenant, const protocol::ThreadId& thread,
                 std::function<void()> then) {
  threads::Job job;
  job.tenant = tenant;
  job.thread = thread;
  job.decide = [](threads::Transaction&) { return threads::Decision(); };
  job.done = [then = std::move(then)](const Answer&) { then(); };
  io.Submit(std::move(job));
}

}  // namespace

bool OpenThreads::IsOpening(const protocol::ThreadId& thread) const {
  return std::find(opening_.begin(), opening_.end(), thread) != opening_.end();
}

bool OpenThreads::CoversInFull(const protocol::ThreadId& thread) const {
  return s_.deliver == protocol::DeliverMode::kAll || opened_.contains(thread) ||
         s_.resumption.catch_up().Resumed(thread);
}

protocol::Status OpenThreads::PlaceFor(const protocol::ThreadId& thread) const {
  if (opened_.size() < kOpenedThreadsMax || opened_.contains(thread)) return protocol::Ok();
  return TooMany(protocol::Reason::kTooManyOpened, "too many threads are open in this session: close some");
}

struct OpenThreads::Opened {
  protocol::ThreadOpen::Reply reply;
  bool looks = false;  // as staff, who are not members
  std::vector<protocol::UserId> shown;
  std::optional<HiddenPairs::Between> between;
  uint64_t noted = 0;  // the number of changes of hidden pairs before the read
};

threads::Result<OpenThreads::Opened> OpenThreads::ReadOpened(const threads::ReadContext& context,
                                                             const protocol::ThreadOpen::Args& args) {
  Opened out;
  PARLEY_TRY(reply, threads::OpenThread(context, args));
  PARLEY_TRY(standing, threads::StandingOf(context, args.thread_id));
  out.reply = std::move(reply);
  out.looks = !standing.me && context.caller.is_staff();
  PARLEY_TRY(between, ReadBetween(context, standing.head));
  out.between = between;
  out.shown = std::move(standing.head.item.participants.items);
  // A user who has not accepted the invitation is not watched.
  if (const auto gated = threads::GatedIn(standing.head)) std::erase(out.shown, *gated);
  return out;
}

void OpenThreads::Open(const protocol::ThreadOpen::Args& args, const Done& done) {
  if (auto place = PlaceFor(args.thread_id); !place.ok()) return done(std::move(place.error()));
  if (!s_.io.MakeRoom()) return done(features::NoRoom());
  opening_.push_back(args.thread_id);
  // Before the read, so that no event is missed between the read and live delivery.
  if (s_.who().caller.is_staff()) s_.io.hub().Look(&s_.delivery, args.thread_id);
  ReadAnywhere<Opened>(
      s_.io, s_.turns.road(),
      [&node = std::as_const(s_.node()), caller = s_.who().caller, args,
       noted =
           s_.io.ephemera().hidden_pair_changes()](const storage::Reader& reader) -> threads::Result<Opened> {
        PARLEY_TRY(opened, ReadOpened(node.ContextOf(reader, caller), args));
        opened.noted = noted;
        return std::move(opened);
      },
      [this, weak = s_.weak_from_this(), thread = args.thread_id, done](threads::Result<Opened> opened) {
        if (const auto session = weak.lock()) done(FinishOpen(thread, std::move(opened)));
      });
}

Answer OpenThreads::FinishOpen(const protocol::ThreadId& thread, threads::Result<Opened> opened) {
  opening_.erase(std::find(opening_.begin(), opening_.end(), thread));
  const bool still_opening = IsOpening(thread);
  const protocol::Status place = PlaceFor(thread);
  if ((!opened.ok() || !place.ok()) && !opened_.contains(thread) && !still_opening)
    s_.io.hub().LookAway(&s_.delivery, thread);
  if (!opened.ok()) return std::move(opened.error());
  PARLEY_CHECK_OK(place);
  protocol::ThreadOpen::Reply& reply = opened->reply;
  Ephemera& ephemera = s_.io.ephemera();
  ephemera.Part(s_.tenant(), thread, opened->between, opened->noted);
  for (const protocol::UserId& member : opened->shown) {
    const bool online =
        ephemera.IsOnline(s_.tenant(), member) && !ephemera.IsHidden(s_.tenant(), thread, member, s_.user());
    reply.presence.items.push_back({member, online});
  }
  // If the session receives this thread only from now on, it must not get events that the reply contains.
  const bool receives = CoversInFull(thread) && (!opened->looks || opened_.contains(thread));
  if (!receives) s_.resumption.catch_up().MarkSent(thread, reply.last_seq);
  opened_.insert(thread);
  s_.io.hub().OpenThread(&s_.delivery, thread);
  ephemera.Watch(s_.tenant(), thread, opened->shown);
  if (const auto typing = ephemera.Typing(s_.tenant(), thread, s_.user()); !typing.empty()) {
    s_.out.SendMsgpack(protocol::TypingEvent(thread, typing));
  }
  return protocol::Encode(reply);
}

// While a thread is open, its changes arrive as events; otherwise as inbox entries. The fan-out worker may
// deliver the entry of a commit before the executor delivers its event; that entry was skipped, since the
// thread was open. So the thread closes only after the events of all commits. The session's reads wait until
// then, so that a later thread.open opens it again.
void OpenThreads::Close(const protocol::ThreadId& thread, const Done& done) {
  s_.turns.BlockReads([this, thread, done] {
    ReadAnywhere<threads::Standing>(
        s_.io, s_.turns.road_in_turn(), ReadingStanding(s_.node(), s_.who().caller, thread),
        [this, thread, done](threads::Result<threads::Standing> standing) {
          const Answer answer = standing.ok() ? Answer(protocol::Encode(protocol::Empty{}))
                                              : Answer(std::move(standing.error()));
          const auto close = [this, weak = s_.weak_from_this(), thread, done, answer] {
            if (const auto session = weak.lock()) FinishClose(thread, done, answer);
          };
          if (s_.deliver == protocol::DeliverMode::kAll) return close();
          AfterEvents(s_.io, s_.tenant(), thread, close);
        });
  });
}

void OpenThreads::FinishClose(const protocol::ThreadId& thread, const Done& done, const Answer& answer) {
  s_.turns.UnblockReads([&] {
    StopDelivery(thread);
    s_.resumption.catch_up().Forget(thread);
    done(answer);
  });
}

void OpenThreads::SetTyping(const protocol::TypingSet::Args& args, const Done& done) {
  ReadAnywhere<threads::Standing>(
      s_.io, s_.turns.road(), ReadingOwnState(s_.node(), s_.who().caller, args.thread_id),
      [this, weak = s_.weak_from_this(), args, done](protocol::Result<threads::Standing> standing) {
        const auto session = weak.lock();
        if (!session) return;
        if (!standing.ok()) return done(std::move(standing.error()));
        if (auto may = threads::RequireParticipant(*standing); !may.ok()) return done(std::move(may.error()));
        const threads::Barriers& own = standing->barriers;
        const bool hidden = own.silenced() || own.shadowed();  // which the user must not learn
        NoteTyping(args.thread_id, args.typing && !hidden);
        done(protocol::Encode(protocol::Empty{}));
      });
}

void OpenThreads::NoteTyping(const protocol::ThreadId& thread, bool typing) {
  if (!s_.authenticated) return;  // it has ended
  std::erase(types_in_, thread);
  if (typing && types_in_.size() == kTypesInMax) types_in_.erase(types_in_.begin());
  if (typing) types_in_.push_back(thread);
  s_.io.ephemera().SetTyping(s_.tenant(), thread, s_.user(), typing, &s_.delivery);
}

void OpenThreads::StopDelivery(const protocol::ThreadId& thread) {
  opened_.erase(thread);
  s_.io.hub().CloseThread(&s_.delivery, thread);
  if (s_.io.hub().Openers(s_.tenant(), thread).empty()) s_.io.ephemera().Unwatch(s_.tenant(), thread);
}

void OpenThreads::LeaveByRows(const protocol::ThreadId& thread) {
  StopDelivery(thread);
  const auto& left_threads = s_.resumption.catch_up().left();
  const auto left = left_threads.find(thread);
  if (left == left_threads.end()) return;
  // The snapshot that showed the removal is older than this position.
  s_.io.hub().NoteRemoved(s_.delivery, thread, left->second, s_.node().table().LastPosition());
}

void OpenThreads::CloseUnlessMember(std::function<void(protocol::Status)> then) {
  using Threads = std::vector<protocol::ThreadId>;
  ReadAnywhere<Threads>(
      s_.io, s_.turns.road(),
      [tenant = s_.tenant(), user = s_.user(), opened = Threads(opened_.begin(), opened_.end())](
          const storage::Reader& reader) -> threads::Result<Threads> {
        const threads::RowReader rows(reader, tenant);
        Threads others;
        for (const protocol::ThreadId& thread : opened) {
          PARLEY_TRY(me, rows.Participant(thread, user));
          if (!me || !me->active()) others.push_back(thread);
        }
        return others;
      },
      [this, weak = s_.weak_from_this(), then = std::move(then)](threads::Result<Threads> others) {
        const auto session = weak.lock();
        if (!session) return;
        const Threads all(opened_.begin(), opened_.end());
        for (const protocol::ThreadId& thread : others.ok() ? *others : all) StopDelivery(thread);
        then(others.ok() ? protocol::Ok() : protocol::Status(std::move(others.error())));
      });
}

void OpenThreads::CloseAll() {
  while (!opened_.empty()) StopDelivery(protocol::ThreadId(*opened_.begin()));
}

void OpenThreads::StopTyping() {
  for (const protocol::ThreadId& thread : types_in_)
    s_.io.ephemera().EndTypingBy(s_.tenant(), thread, s_.user(), &s_.delivery);
}

}  // namespace parley::gateway
