#include "gateway/ws/delivery.h"

#include <memory>
#include <utility>

#include "gateway/ws/session_pieces.h"
#include "gateway/ws/viewer_access.h"

namespace parley::gateway {
namespace {

using protocol::CloseCode;
using protocol::EventKind;

SharedFramePtr AsFrame(const fanout::FramePtr& frame) {
  return std::static_pointer_cast<const SharedFrame>(frame);
}

}  // namespace

const protocol::TenantId& Delivery::tenant() const {
  return s_.tenant();
}

const protocol::UserId& Delivery::user() const {
  return s_.user();
}

bool Delivery::is_staff() const {
  return s_.who().caller.is_staff();
}

bool Delivery::follows_inbox() const {
  return s_.deliver == protocol::DeliverMode::kOpen;
}

void Delivery::Deliver(const SharedFramePtr& frame) {
  if (!s_.connection || s_.closing()) return;
  if (deferring_) return Defer({Deferred::Kind::kOwn, false, false, 0, {}, frame});
  s_.out.SendLive(frame);
}

void Delivery::OnRun(fanout::LiveRun& run) {
  bool masked = false;
  if (run.looked_at && !MayStillLook(run.thread, &masked)) return;
  if (!masked && !deferring_ && !run.removes && !s_.resumption.catch_up().Concerns(run.thread)) {
    if (s_.threads.CoversInFull(run.thread)) s_.out.SendLive(AsFrame(run.joined.Frame(s_.form())));
    return;
  }
  for (fanout::LiveEvent& event : run.events) {
    // Events are the same for all viewers, so masked staff get none with masked items: the gap in seqs makes
    // the client read them, and reads are masked.
    const auto of = protocol::Describe(event.kind).item;
    if (masked && of && *of != protocol::ChangeKind::kParticipant) continue;
    const bool own_removal =
        event.kind == EventKind::kParticipantRemoved && event.participant && *event.participant == user();
    if (!deferring_) {
      if (Receives(run.thread, event.seq, own_removal))
        s_.out.SendLive(AsFrame(event.payload.Frame(s_.form())));
    } else if (own_removal || MustDefer(run.thread, event.seq)) {
      Defer({Deferred::Kind::kEvent, false, own_removal, event.seq, run.thread,
             AsFrame(event.payload.Frame(s_.form()))});
    }
  }
}

void Delivery::OnEntry(const fanout::EntryNotice& notice, fanout::SharedPayload& payload) {
  if (deferring_) {
    if (notice.announced || follows_inbox())
      Defer({Deferred::Kind::kEntry, notice.announced, false, 0, notice.thread,
             AsFrame(payload.Frame(s_.form()))});
    return;
  }
  if (notice.announced || !s_.threads.CoversInFull(notice.thread))
    s_.out.SendLive(AsFrame(payload.Frame(s_.form())));
}

void Delivery::OnNotice(fanout::SharedPayload& payload) {
  const SharedFramePtr frame = AsFrame(payload.Frame(s_.form()));
  if (deferring_) return Defer({Deferred::Kind::kOwn, false, false, 0, {}, frame});
  s_.out.SendLive(frame);
}

void Delivery::OnEphemeral(const protocol::ThreadId& thread, fanout::SharedPayload& payload) {
  // Dropped first under load: a session whose outbox fills up does not need typing and presence.
  if (s_.out.HasBacklog(4)) return;
  if (s_.who().caller.by_case && !MayStillSee(thread)) return;
  if (deferring_)
    return Defer({Deferred::Kind::kEphemeral, false, false, 0, thread, AsFrame(payload.Frame(s_.form()))});
  s_.out.SendLive(AsFrame(payload.Frame(s_.form())));
}

void Delivery::Defer(Deferred event) {
  s_.out.CountDeferred(sizeof event + FrameBytes(*event.frame));
  deferred_.push_back(std::move(event));
  if (s_.out.HasBacklog(2))
    s_.CloseWith(CloseCode::kTooSlow, "too many events are held");  // the other half is for the reply
}

void Delivery::DeliverDeferred() {
  s_.out.ForgetDeferred();
  for (const Deferred& event : std::exchange(deferred_, {})) {
    if (IsStillWanted(event)) s_.out.SendLive(event.frame);
  }
}

// Judges the event now and not when it was delivered: the answer in between may have opened or closed its
// thread, or contained the event.
bool Delivery::IsStillWanted(const Deferred& event) {
  switch (event.kind) {
    case Deferred::Kind::kEvent:
      return Receives(event.thread, event.seq, event.own_removal);
    case Deferred::Kind::kEntry:
      return event.announced || !s_.threads.CoversInFull(event.thread);
    case Deferred::Kind::kEphemeral:
      return s_.threads.Contains(event.thread);
    case Deferred::Kind::kOwn:
      break;
  }
  return true;
}

// A thread that is caught up later will be read later, too, except for the one whose page may be under way.
bool Delivery::MustDefer(const protocol::ThreadId& thread, int64_t seq) const {
  const CatchUp& catch_up = s_.resumption.catch_up();
  if (seq > 0 && catch_up.Covers(thread)) return !catch_up.waits() && catch_up.NextPage().thread == thread;
  return s_.threads.CoversInFull(thread) || s_.threads.IsOpening(thread);
}

bool Delivery::Receives(const protocol::ThreadId& thread, int64_t seq, bool own_removal) {
  CatchUp& catch_up = s_.resumption.catch_up();
  if (catch_up.LeftBefore(thread, seq)) return false;
  const bool shared = seq > 0;
  const bool catching_up = shared && catch_up.Covers(thread);
  // After the removal nothing else reaches the user, not even typing and presence, even if rows showed the
  // removal before this event came. For a user who was added again in between, nothing ends.
  if (own_removal && !IsMember(s_, thread)) {
    s_.threads.StopDelivery(thread);
    if (!catching_up) catch_up.Forget(thread);
  }
  if (shared && !catching_up && catch_up.AlreadySent(thread, seq)) return false;
  return !catching_up && (s_.threads.CoversInFull(thread) || own_removal);
}

bool Delivery::MayStillLook(const protocol::ThreadId& thread, bool* masked) {
  if (MayLook(s_, thread, masked)) return true;
  StopThread(thread);
  return false;
}

// If memory lacks the rows, nothing is delivered, and nothing ends.
bool Delivery::MayStillSee(const protocol::ThreadId& thread) {
  const std::optional<bool> may = MaySee(s_, thread);
  if (may && !*may) StopThread(thread);
  return may.value_or(false);
}

void Delivery::StopThread(const protocol::ThreadId& thread) {
  s_.threads.StopDelivery(thread);
  s_.resumption.catch_up().Forget(thread);
}

}  // namespace parley::gateway
