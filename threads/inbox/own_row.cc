// The ops participant.mute, inbox.set and read.mark. They write the caller's own row, take no seq, and reach
// the owner's sessions as inbox.updated.
#include "threads/inbox/own_row.h"

#include "protocol/base/name.h"
#include "protocol/base/reason.h"
#include "threads/inbox/entry.h"

namespace parley::threads {
namespace {

Result<OwnLoaded> LoadOwn(Transaction& tx, const Caller& caller, const ThreadId& thread) {
  PARLEY_TRY(standing, tx.StandingOf(caller, thread));
  PARLEY_CHECK_OK(RequireReadable(standing.barriers.messaging));  // the answers show the thread
  OwnLoaded loaded{std::move(standing), {}};
  if (loaded.standing.me && loaded.standing.head.hidden.deleted_count > 0) {
    PARLEY_TRY(found, tx.Rows(caller.tenant).UncountedAbove(thread, loaded.standing.me->unread_base()));
    loaded.uncounted = std::move(found);
  }
  return loaded;
}

bool SamePersonal(const ParticipantRow& a, const ParticipantRow& b) {
  return protocol::Encode(a.hidden) == protocol::Encode(b.hidden) &&
         a.item.last_read_msg_id == b.item.last_read_msg_id;
}

Decision PersonalDecision(const OwnLoaded& loaded, ParticipantRow row, std::string reply,
                          protocol::Time now) {
  if (SamePersonal(row, *loaded.standing.me)) return AnswerOnly(std::move(reply));
  Draft draft(loaded.standing.head, now);
  const UserId user = row.item.user_id;
  draft.ParticipantPersonal(std::move(row));
  Decision decision = draft.Finish(std::move(reply));
  decision.personal = user;
  return decision;
}

std::string EntryReplyFor(const OwnLoaded& loaded, const ParticipantRow& row, protocol::Time now) {
  protocol::EntryReply reply;
  reply.entry.msgpack = Wire(ComputeEntry(loaded.standing.head, row, loaded.uncounted, now));
  return protocol::Encode(reply);
}

// The newest message before `from` that all members see; nullopt if none of the last kLookedAt is one.
Result<std::optional<MessageRow>> SharedBefore(const RowReader& rows, const ThreadId& thread,
                                               const MessageId& from) {
  constexpr size_t kLookedAt = 200;
  std::optional<MessageRow> found;
  bool sound = true;
  storage::SortRange range = RangeOf(storage::ThreadTag::kMessage);
  range.end = MessageKey(from);
  const auto status =
      rows.raw().Scan(ThreadPartition(rows.tenant(), thread), range, storage::Direction::kReverse, kLookedAt,
                      [&](std::string_view, storage::RowView row) {
                        MessageRow message;
                        sound = DecodeItem(row.payload, &message);
                        if (!sound || message.hidden.only_for.value) return sound;
                        found = std::move(message);
                        return false;
                      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data cannot be read");
  return found;
}

// Hides the thread until a time or an event, whichever comes first. A time in the past ends the snooze.
void Snooze(const protocol::InboxSet::Args& args, const protocol::Thread& thread, protocol::Time now,
            ParticipantRow* row) {
  WakeUp(row);
  const auto& until = args.snoozed_until.value;
  if (until ? *until <= now : !args.snoozed_until_event) return;
  row->hidden.snoozed_until.value = until;
  row->hidden.snoozed_at_no.value = thread.last_msg_no;
  const bool by_default = until && args.snoozed_until_event == protocol::SnoozeEvent::kMessage;
  if (!args.snoozed_until_event || by_default) return;
  row->hidden.snoozed_for.value = args.snoozed_until_event;
  row->hidden.snoozed_at_seq.value = thread.last_seq;
}

}  // namespace

Result<OwnLoaded> MuteThread::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  return LoadOwn(tx, caller, args.thread_id);
}

Result<Decision> MuteThread::Decide(const OwnLoaded& loaded, const Caller&, const Op::Args& args,
                                    const SizeLimits&, Moment moment) {
  PARLEY_CHECK_OK(RequireParticipant(loaded.standing));
  ParticipantRow row = *loaded.standing.me;
  row.hidden.muted = args.muted;
  row.hidden.muted_until = args.muted ? args.until.value : std::nullopt;
  return PersonalDecision(loaded, row, EntryReplyFor(loaded, row, moment.now), moment.now);
}

Result<OwnLoaded> SetInboxFlags::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  return LoadOwn(tx, caller, args.thread_id);
}

Result<Decision> SetInboxFlags::Decide(const OwnLoaded& loaded, const Caller&, const Op::Args& args,
                                       const SizeLimits&, Moment moment) {
  PARLEY_CHECK_OK(RequireParticipant(loaded.standing));
  ParticipantRow row = *loaded.standing.me;
  if (args.pinned) row.hidden.pinned = *args.pinned;
  if (args.archived && *args.archived != IsArchived(loaded.standing.head, row)) {
    row.hidden.archived_at_no =
        *args.archived ? loaded.standing.head.item.last_msg_no : ParticipantRow::Private::kTakenBack;
  }
  if (args.label.present) {
    row.hidden.label.reset();
    if (const auto label = protocol::CleanTitle(args.label.value))
      row.hidden.label = KeyText::UpToNul(*label);
  }
  if (args.spam) row.hidden.spam.value = *args.spam ? std::optional(true) : std::nullopt;
  if (args.snoozed_until.present || args.snoozed_until_event)
    Snooze(args, loaded.standing.head.item, moment.now, &row);
  return PersonalDecision(loaded, row, EntryReplyFor(loaded, row, moment.now), moment.now);
}

namespace {

// The time of the message after `message`; nullopt if it is the newest.
Result<std::optional<protocol::Time>> NextAfter(const RowReader& rows, const ThreadId& thread,
                                                const MessageId& message) {
  storage::SortRange range = RangeOf(storage::ThreadTag::kMessage);
  range.begin = MessageKey(MessageId{message.ulid.Next()});
  std::optional<protocol::Time> next;
  bool sound = true;
  const auto status = rows.raw().Scan(ThreadPartition(rows.tenant(), thread), range,
                                      storage::Direction::kForward, 1, [&](std::string_view sort, auto) {
                                        MessageId id;
                                        sound = ParseMessageKey(sort, &id);
                                        next = id.ulid.time();
                                        return false;
                                      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data cannot be read");
  return next;
}

// The new lastReadAt: everything created up to then counts as read, in the order of msgNo. So it is one
// millisecond before the message's own time if a later message has the same time, or may still get it,
// because that millisecond is not over or the clock is slow.
protocol::Time ReadUpTo(const MarkRead::Loaded& loaded, protocol::Time now) {
  const protocol::Time at = loaded.message.item.created_at;
  const bool shared = loaded.next ? *loaded.next == at : at >= now;
  return shared ? protocol::Time{at.ms - 1} : at;
}

}  // namespace

Result<MarkRead::Loaded> MarkRead::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  PARLEY_TRY(own, LoadOwn(tx, caller, args.thread_id));
  PARLEY_CHECK_OK(RequireParticipant(own.standing));
  const RowReader rows = tx.Rows(caller.tenant);
  PARLEY_TRY(message, rows.Message(args.thread_id, args.message_id));
  if (!message || !MaySee(caller, message->hidden.only_for))
    return ErrorFor(protocol::Reason::kNoMessage, "no such message in this thread");
  // All members see the receipt, so it names only a message that they all see.
  if (message->hidden.only_for.value) {
    PARLEY_TRY(shared, SharedBefore(rows, args.thread_id, args.message_id));
    if (shared) message = std::move(shared);
  }
  PARLEY_TRY(next, NextAfter(rows, args.thread_id, message->item.message_id));
  return Loaded{std::move(own), std::move(*message), next};
}

Result<Decision> MarkRead::Decide(const Loaded& loaded, const Caller&, const Op::Args&, const SizeLimits&,
                                  Moment moment) {
  ParticipantRow row = *loaded.own.standing.me;
  const bool forward =
      loaded.message.item.msg_no > row.hidden.read_no && !loaded.message.hidden.only_for.value;
  if (forward) {
    row.item.last_read_msg_id = loaded.message.item.message_id;
    row.item.last_read_at =
        std::max(row.item.last_read_at.value_or(protocol::Time{0}), ReadUpTo(loaded, moment.now));
    row.hidden.read_no = loaded.message.item.msg_no;
  }
  Op::Reply reply;
  reply.last_read_msg_id = row.item.last_read_msg_id;
  reply.last_read_at = row.item.last_read_at;
  reply.unread = Unread(loaded.own.standing.head, row, loaded.own.uncounted);
  const ReadReceipt receipt{row.item.user_id, row.item.last_read_msg_id, row.item.last_read_at};
  Decision decision = PersonalDecision(loaded.own, std::move(row), protocol::Encode(reply), moment.now);
  if (forward) decision.receipt = receipt;
  return decision;
}

}  // namespace parley::threads
