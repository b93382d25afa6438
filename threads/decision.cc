#include "threads/decision.h"

#include "threads/panel/pins.h"
#include "threads/preview.h"

namespace parley::threads {

using protocol::EventKind;

Decision AnswerOnly(std::string reply) {
  Decision out;
  out.reply = std::move(reply);
  return out;
}

Draft::Draft(ThreadRow head, protocol::Time now) : head_(std::move(head)), now_(now) {
  out_.first_seq = head_.item.last_seq + 1;
  out_.at = now;
}

void Draft::Write(storage::SortKey sort, std::string payload) {
  out_.writes.push_back({std::move(sort), storage::Row{1, std::move(payload)}});
}

int64_t Draft::TakeSeq(EventKind kind, const storage::SortKey& sort, std::string item) {
  const int64_t seq = head_.item.last_seq;
  Write(LogKey(seq), EncodeLog({kind, now_, sort}));
  out_.events.push_back({kind, seq, std::move(item), {}});
  personal_only_ = false;
  out_.changed |= kSharedChange;
  return seq;
}

void Draft::ThreadChanged(EventKind kind) {
  head_.item.seq = ++head_.item.last_seq;
  if (kind != EventKind::kThreadCreated) ++head_.item.version;
  out_.changed |= kHeadChange;
  TakeSeq(kind, ThreadKey(), {});  // the item is filled in by Finish, when the head is final
}

void Draft::ParticipantChanged(ParticipantRow row, EventKind kind) {
  row.item.seq = ++head_.item.last_seq;
  if (kind == EventKind::kParticipantAdded) row.born_seq = row.item.seq;
  const storage::SortKey sort = ParticipantKey(row.item.user_id);
  TakeSeq(kind, sort, Wire(row.item));
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
                                       protocol::IdSource* ids) {
  protocol::Thread& thread = head_.item;
  // The id's time is the row's ts: never before the thread's newest message, so (createdAt, messageId) agrees
  // with msgNo.
  // A clock that was set back has left milliseconds behind that were read to their end (lastReadAt): then it
  // is later than all of them.
  const protocol::Time last = thread.last_message_at.value_or(protocol::Time{0});
  const protocol::Time at = now_ < last ? protocol::Time{last.ms + 1} : now_;
  message.message_id = MessageId{ids->Make(at)};
  if (head_.hidden.last_message && message.message_id <= head_.hidden.last_message->message_id) {
    // The clock went back. The next millisecond is drawn afresh: one above the newest id may have been given
    // to another thread.
    message.message_id = MessageId{ids->Make(protocol::Time{at.ms + 1})};
  }
  message.thread_id = thread.thread_id;
  message.created_at = message.message_id.ulid.time();
  message.msg_no = ++thread.last_msg_no;
  message.seq = ++thread.last_seq;
  thread.last_message_at = message.created_at;
  head_.hidden.last_message = protocol::LastMessage{message.message_id, message.author_user_id, message.type,
                                                    preview, message.created_at};
  const MessageRow row{message, message.seq, {}};
  const storage::SortKey sort = MessageKey(message.message_id);
  std::string wire = Wire(message);
  Write(sort, EncodeItem(row, wire));
  TakeSeq(EventKind::kMessageCreated, sort, std::move(wire));
  return message;
}

protocol::Message Draft::AppendSystem(const std::string& text, protocol::IdSource* ids) {
  protocol::Message message;
  message.type = protocol::MessageType::kSystem;
  message.body = text;
  return AppendMessage(std::move(message), Preview(text), ids);
}

protocol::Message Draft::MessageChanged(MessageRow row) {
  row.item.seq = ++head_.item.last_seq;
  const storage::SortKey sort = MessageKey(row.item.message_id);
  TakeSeq(EventKind::kMessageUpdated, sort, Wire(row.item));
  Write(sort, EncodeItem(row));
  return row.item;
}

protocol::Tab Draft::TabChanged(TabRow row) {
  row.item.seq = ++head_.item.last_seq;
  row.item.updated_at = now_;
  if (row.born_seq == 0) {
    row.born_seq = row.item.seq;
    row.item.version = 0;
  }
  ++row.item.version;
  head_.item.panel_version = head_.item.panel_version.value_or(0) + 1;
  row.item.panel_version.value = head_.item.panel_version;
  if (row.item.tab == protocol::TabName::kShotlist) row.item.shotlist.value = head_.item.shotlist;
  const storage::SortKey sort = TabKey(row.item.tab);
  TakeSeq(EventKind::kTabUpdated, sort, Wire(ShownTab(row.item, kCarefulBand)));
  Write(sort, EncodeItem(row));
  return std::move(row.item);
}

protocol::Card Draft::CardChanged(CardRow row) {
  row.item.seq = ++head_.item.last_seq;
  if (row.born_seq == 0) row.born_seq = row.item.seq;
  const storage::SortKey sort = CardKey(row.item.message_id);
  TakeSeq(EventKind::kCardUpdated, sort, Wire(row.item));
  Write(sort, EncodeItem(row));
  return row.item;
}

void Draft::MessageFollows(const MessageRow& row) {
  Write(MessageKey(row.item.message_id), EncodeItem(row));
}

void Draft::EffectAsked(const protocol::OutboxItem& effect, int64_t seq) {
  Write(EffectKey(seq), protocol::Encode(effect));
  out_.changed |= kCardsChange;
}

void Draft::EffectDone(int64_t seq) {
  out_.writes.push_back({EffectKey(seq), std::nullopt});
  out_.changed |= kCardsChange;
}

Decision Draft::Finish(std::string reply) {
  out_.reply = std::move(reply);
  if (personal_only_ && !head_kept_) return std::move(out_);
  if (!personal_only_) head_.item.updated_at = now_;
  for (SharedChange& event : out_.events) {
    if (event.item.empty()) event.item = Wire(head_.item);
  }
  Write(ThreadKey(), EncodeItem(head_));
  out_.head = std::move(head_);
  return std::move(out_);
}

}  // namespace parley::threads
