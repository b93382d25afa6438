#include "threads/inbox/entry.h"

#include <algorithm>

#include "threads/model/open_cards.h"
#include "threads/model/requests.h"

namespace parley::threads {

int64_t Unread(const ThreadRow& thread, const ParticipantRow& me, const Uncounted& uncounted) {
  const int64_t base = me.unread_base();
  return std::max<int64_t>(0, thread.item.last_msg_no - base - uncounted.Above(base));
}

bool IsArchived(const ThreadRow& thread, const ParticipantRow& me) {
  return me.hidden.archived_at_no && thread.shared_msg_no() <= *me.hidden.archived_at_no;
}

bool IsSnoozed(const ThreadRow& thread, const ParticipantRow& me) {
  const auto& hidden = me.hidden;
  if (!hidden.snoozed_until.value && !hidden.snoozed_for.value) return false;
  const auto unchanged = [&](const protocol::Omit<int64_t>& seq) {
    return seq.value.value_or(0) <= hidden.snoozed_at_seq.value.value_or(0);
  };
  switch (hidden.snoozed_for.value.value_or(protocol::SnoozeEvent::kMessage)) {
    case protocol::SnoozeEvent::kMessage:
      break;
    case protocol::SnoozeEvent::kCard:
      return unchanged(thread.hidden.card_seq);
    case protocol::SnoozeEvent::kStatus:
      return unchanged(thread.hidden.status_seq);
  }
  return thread.shared_msg_no() <= hidden.snoozed_at_no.value.value_or(0);
}

void WakeUp(ParticipantRow* me) {
  me->hidden.snoozed_until = {};
  me->hidden.snoozed_at_no = {};
  me->hidden.snoozed_for = {};
  me->hidden.snoozed_at_seq = {};
}

bool IsMuted(const ParticipantRow& me, protocol::Time now) {
  return me.hidden.muted && (!me.hidden.muted_until || *me.hidden.muted_until > now);
}

protocol::Time InboxPlace(const ThreadRow& thread) {
  return thread.item.last_message_at.value_or(thread.item.created_at);
}

namespace {

// Limits the entry of a user who received a request: while it is pending, to the part of the message that the
// tenant allows; after they declined, to the request's state.
void ShowGated(protocol::Entry* entry, const ThreadRow& thread) {
  const RequestRow& request = *thread.hidden.request.value;
  if (request.state == protocol::RequestState::kPending) {
    if (auto& last = entry->last_message) last->preview = ShownWhilePending(thread, request, last->preview);
    return;
  }
  entry->last_message.reset();
  entry->unread = 0;
}

}  // namespace

void ShowInvited(protocol::Entry* entry) {
  entry->last_message.reset();
  entry->last_message_at.reset();
  entry->last_seq = entry->unread = entry->open_cards = entry->read_no.emplace(0);
}

protocol::Entry ComputeEntry(const ThreadRow& thread, const ParticipantRow& me, const Uncounted& uncounted,
                             protocol::Time now) {
  protocol::Entry entry;
  entry.thread_id = thread.item.thread_id;
  entry.kind = thread.item.kind;
  entry.subtype = thread.item.subtype;
  entry.subject = thread.item.subject;
  entry.last_message_at = thread.item.last_message_at;
  entry.last_seq = thread.item.last_seq;
  entry.unread = Unread(thread, me, uncounted);
  entry.last_message = thread.hidden.last_message;
  entry.pinned = me.hidden.pinned;
  entry.archived = IsArchived(thread, me);
  entry.muted = IsMuted(me, now);
  if (entry.muted) entry.muted_until = me.hidden.muted_until;
  entry.label = me.hidden.label;
  entry.status = thread.item.status;
  const auto& open = OpenCardsOf(thread);
  entry.open_cards = std::count_if(open.begin(), open.end(), [&](const OpenCard& card) {
    return !card.only_for.value || card.only_for.value == me.item.user_id;
  });
  if (IsSnoozed(thread, me)) {
    entry.snoozed_until = me.hidden.snoozed_until.value;
    entry.snoozed_until_event = me.hidden.snoozed_for;
  }
  entry.spam = me.hidden.spam;
  entry.created_at = thread.item.created_at;
  entry.safe_mode_required = thread.item.safe_mode_required;
  entry.read_no = me.unread_base();
  entry.blocked_until = me.hidden.blocked_until;
  entry.request = RequestSeenBy(thread, me.item.user_id);
  if (GatedIn(thread) == me.item.user_id) ShowGated(&entry, thread);
  if (InvitedIn(thread, me.item.user_id)) ShowInvited(&entry);
  return entry;
}

protocol::Me ComputeMe(const ParticipantRow& me, protocol::Time now) {
  protocol::Me out;
  out.user_id = me.item.user_id;
  out.role_context = me.item.role_context;
  out.permission = me.item.permission;
  out.last_read_msg_id = me.item.last_read_msg_id;
  out.last_read_at = me.item.last_read_at;
  out.joined_at = me.item.joined_at;
  out.removed_at = me.item.removed_at;
  out.seq = me.item.seq;
  out.muted = IsMuted(me, now);
  if (out.muted) out.muted_until = me.hidden.muted_until;
  out.blocked_until = me.hidden.blocked_until;
  out.read_no = me.unread_base();
  return out;
}

}  // namespace parley::threads
