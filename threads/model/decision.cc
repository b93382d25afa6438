#include "threads/model/decision.h"

#include <utility>

#include "threads/model/message_row.h"
#include "threads/model/open_cards.h"
#include "threads/model/pair_reports.h"
#include "threads/model/pins.h"
#include "threads/model/preview.h"

namespace parley::threads {

using protocol::EventKind;

Decision AnswerOnly(std::string reply) {
  Decision out;
  out.reply = std::move(reply);
  return out;
}

Draft::Draft(ThreadRow head, protocol::Time now)
    : head_(std::move(head)),
      now_(now),
      was_reported_(HoldsReport(head_)),
      cases_before_(CaseCardsOf(head_)) {
  out_.first_seq = head_.item.last_seq + 1;
  out_.at = now;
}

void Draft::Write(storage::SortKey sort, std::string payload) {
  out_.writes.push_back({std::move(sort), storage::Row{1, std::move(payload)}});
}

void Draft::Beside(storage::PartitionKey partition, storage::RowWrite write) {
  storage::CommitRequest request;
  request.partition = std::move(partition);
  request.writes.push_back(std::move(write));
  out_.beside.push_back(std::move(request));
}

// Removes the LOG# row of the item's previous change in the same write, since catch-up sends the latest state
// once: a message that is marked a hundred thousand times leaves one row.
int64_t Draft::TakeSeq(EventKind kind, const storage::SortKey& sort, std::string item, int64_t previous,
                       const protocol::Omit<UserId>& only_for) {
  const int64_t seq = head_.item.last_seq;
  Write(LogKey(seq), EncodeLog({kind, now_, sort}));
  if (previous > head_.hidden.log_swept.value.value_or(0)) Erase(LogKey(previous));
  auto& lean_from = head_.hidden.lean_from.value;
  if (!lean_from) lean_from = out_.first_seq;
  out_.events.push_back({kind, seq, std::move(item), {}, only_for});
  personal_only_ = false;
  out_.changed |= kSharedChange;
  return seq;
}

void Draft::ThreadChanged(EventKind kind) {
  const int64_t previous = std::exchange(head_.item.seq, ++head_.item.last_seq);
  if (kind != EventKind::kThreadCreated) ++head_.item.version;
  out_.changed |= kHeadChange;
  TakeSeq(kind, ThreadKey(), {}, previous);  // Finish fills in the item, when the head is final
}

void Draft::ParticipantChanged(ParticipantRow row, EventKind kind) {
  const int64_t previous = std::exchange(row.item.seq, ++head_.item.last_seq);
  if (kind == EventKind::kParticipantAdded) row.born_seq = row.item.seq;
  const storage::SortKey sort = ParticipantKey(row.item.user_id);
  TakeSeq(kind, sort, Wire(row.item), previous);
  out_.events.back().participant = row.item.user_id;
  Write(sort, EncodeItem(row));
  out_.membership |= kind != EventKind::kParticipantUpdated;
  out_.participants.push_back(std::move(row));
}

void Draft::ParticipantPersonal(ParticipantRow row) {
  Write(ParticipantKey(row.item.user_id), EncodeItem(row));
  out_.participants.push_back(std::move(row));
}

protocol::Message Draft::AppendMessage(protocol::Message message, const std::string& preview,
                                       protocol::IdSource* ids, const protocol::Omit<UserId>& only_for) {
  protocol::Thread& thread = head_.item;
  std::optional<MessageId> newest = head_.hidden.newest_message.value;
  if (!newest && head_.hidden.last_message) newest = head_.hidden.last_message->message_id;
  // The id's time is the row's ts. It is never before the thread's newest message, so (createdAt, messageId)
  // agrees with msgNo. After the clock was set back it is later than that message, since a member may already
  // have read up to the end of a millisecond (lastReadAt).
  const protocol::Time last = newest ? newest->ulid.time() : protocol::Time{0};
  const protocol::Time at = now_ < last ? protocol::Time{last.ms + 1} : now_;
  message.message_id = MessageId{ids->Make(at)};
  if (newest && message.message_id <= *newest) {
    // The clock went back. Draw from the next millisecond: the id right after the newest may belong to
    // another thread.
    message.message_id = MessageId{ids->Make(protocol::Time{at.ms + 1})};
  }
  message.thread_id = thread.thread_id;
  message.created_at = message.message_id.ulid.time();
  message.msg_no = ++thread.last_msg_no;
  message.seq = ++thread.last_seq;
  if (only_for.value) {
    if (!head_.hidden.shared_msg_no.value) head_.hidden.shared_msg_no.value = message.msg_no - 1;
    head_.hidden.newest_message.value = message.message_id;
    Uncount(message.msg_no);
  } else {
    thread.last_message_at = message.created_at;
    head_.hidden.last_message = protocol::LastMessage{message.message_id, message.author_user_id,
                                                      message.type, preview, message.created_at};
    head_.hidden.preview_rule.value = kPreviewRule;
    head_.hidden.newest_message = {};
    head_.hidden.shared_msg_no = {};
  }
  const MessageRow row{message, message.seq, {only_for, {}, {}, {}}};
  const storage::SortKey sort = MessageKey(message.message_id);
  std::string wire = Wire(message);
  Write(sort, EncodeItem(row, wire));
  TakeSeq(EventKind::kMessageCreated, sort, std::move(wire), 0, only_for);
  return message;
}

protocol::Message Draft::AppendSystem(const std::string& text, protocol::IdSource* ids) {
  protocol::Message message;
  message.type = protocol::MessageType::kSystem;
  message.body = text;
  return AppendMessage(std::move(message), Preview(text), ids);
}

protocol::Message Draft::MessageChanged(MessageRow row) {
  const int64_t previous = std::exchange(row.item.seq, ++head_.item.last_seq);
  const storage::SortKey sort = MessageKey(row.item.message_id);
  TakeSeq(EventKind::kMessageUpdated, sort, Wire(row.item), previous, row.hidden.only_for);
  Write(sort, EncodeItem(row));
  return row.item;
}

protocol::Tab Draft::TabChanged(TabRow row) {
  const int64_t previous = std::exchange(row.item.seq, ++head_.item.last_seq);
  row.item.updated_at = now_;
  if (row.born_seq == 0) {
    row.born_seq = row.item.seq;
    row.item.version = 0;
  }
  ++row.item.version;
  head_.item.panel_version = head_.item.panel_version.value_or(0) + 1;
  row.item.panel_version.value = head_.item.panel_version;
  if (row.item.tab == protocol::TabName::kShotlist) row.item.shotlist.value = head_.item.shotlist;
  WriteTab(row, previous);
  return std::move(row.item);
}

void Draft::TabFollows(TabRow row) {
  const int64_t previous = std::exchange(row.item.seq, ++head_.item.last_seq);
  WriteTab(row, previous);
}

void Draft::WriteTab(const TabRow& row, int64_t previous) {
  const storage::SortKey sort = TabKey(row.item.tab);
  TakeSeq(EventKind::kTabUpdated, sort,
          Wire(ShownTab(row.item, SharedBandMax(head_.item.safe_mode_required))), previous);
  Write(sort, EncodeItem(row));
}

protocol::Card Draft::CardChanged(CardRow row) {
  const int64_t previous = std::exchange(row.item.seq, ++head_.item.last_seq);
  if (row.born_seq == 0) row.born_seq = row.item.seq;
  const storage::SortKey sort = CardKey(row.item.message_id);
  TakeSeq(EventKind::kCardUpdated, sort, Wire(row.item), previous, row.hidden.only_for);
  Write(sort, EncodeItem(row));
  return row.item;
}

void Draft::MessageFollows(const MessageRow& row) {
  Write(MessageKey(row.item.message_id), EncodeItem(row));
}

void Draft::Uncount(int64_t msg_no) {
  ++head_.hidden.deleted_count;
  out_.uncounted.push_back(msg_no);
}

void Draft::EffectAsked(const protocol::OutboxItem& effect, int64_t seq) {
  Write(EffectKey(seq), protocol::Encode(effect));
  out_.changed |= kCardsChange;
}

void Draft::EffectDone(int64_t seq) {
  out_.writes.push_back({EffectKey(seq), std::nullopt});
  out_.changed |= kCardsChange;
}

void Draft::WillAge(const Round& round) {
  auto& due = (head_.hidden.*(round.due)).value;
  if (due) return;
  due = round.FirstAfter(now_);
  head_kept_ = true;
  out_.changed |= kTimersChange;
}

void Draft::NotifyBackEnd(EventKind kind, int64_t seq, std::string item) {
  out_.back_end_events.push_back({kind, seq, {std::move(item)}});
}

Decision Draft::Finish(std::string reply) {
  out_.reply = std::move(reply);
  if (personal_only_ && !head_kept_) return std::move(out_);
  if (!personal_only_) head_.item.updated_at = now_;
  if (IsLogLong(head_) && !head_.hidden.log_due_at.value) {
    head_.hidden.log_due_at.value = now_;
    out_.changed |= kTimersChange;
  }
  for (SharedChange& event : out_.events) {
    if (event.item.empty()) event.item = Wire(head_.item);
  }
  for (SubscribedEvent& event : out_.back_end_events) {
    if (event.item.msgpack.empty()) event.item.msgpack = Wire(head_.item);
  }
  if (HoldsReport(head_) != was_reported_) out_.reported = !was_reported_;
  out_.cases = CaseCardsOf(head_) != cases_before_;
  out_.writes.push_back({ThreadKey(), storage::Row{++head_.row_version, EncodeItem(head_)}});
  out_.head = std::move(head_);
  return std::move(out_);
}

}  // namespace parley::threads
