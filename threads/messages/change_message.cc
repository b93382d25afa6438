// Edits and deletes messages. The message keeps its place in the thread; its former content moves to HIST#
// for the audit.
#include "threads/messages/change_message.h"

#include "threads/messages/mark_message.h"
#include "threads/model/message_acts.h"

#include "protocol/base/reason.h"
#include "threads/files/file_upkeep.h"
#include "threads/model/preview.h"
#include "threads/model/record_act.h"
#include "threads/model/replies.h"

namespace parley::threads {
namespace {

bool IsWritten(const protocol::Message& message) {
  return message.type == protocol::MessageType::kText || message.type == protocol::MessageType::kAsset;
}

// Allows the author within the edit window, and staff at any time with a reason.
protocol::Status MayChange(const MessageLoaded& loaded, const Caller& caller,
                           const std::optional<protocol::Text<1000>>& reason, const SizeLimits& limits,
                           protocol::Time now) {
  const protocol::Message& message = loaded.message.item;
  const bool own = caller.user && message.author_user_id == caller.user;
  const bool authored = own && loaded.standing.me && IsWritten(message);
  const bool within = now.ms - message.created_at.ms <= limits.edit_window_ms;
  const bool as_staff = caller.is_staff();
  if (as_staff && reason && !reason->value.empty()) return protocol::Ok();
  if (authored && within) {
    PARLEY_CHECK_OK(RequirePermission(loaded.standing, protocol::Permission::kFiles));
    return RequireMayWrite(loaded.standing, caller, Writing::kRemoval);
  }
  if (as_staff) return Error::BadField("reason", "is required of staff");
  if (!IsWritten(message))
    return ErrorFor(protocol::Reason::kMessageKindFixed, "this kind of message cannot be changed");
  return authored ? ErrorFor(protocol::Reason::kEditTimeOver, "the time for changes is over")
                  : ErrorFor(protocol::Reason::kOnlyAuthor, "only the author changes a message");
}

// Removing text is always allowed. Writing text is forbidden to members who may only send files and to those
// whom a barrier keeps from writing. Staff who are not members may change any message, with a reason.
protocol::Status MayWriteText(const MessageLoaded& loaded, const Caller& caller, const std::string& body) {
  if (body.empty()) return protocol::Ok();
  if (caller.is_staff() && !loaded.standing.me) return protocol::Ok();
  PARLEY_CHECK_OK(RequireMayWrite(loaded.standing, caller));
  if (caller.is_staff()) return protocol::Ok();
  return RequirePermission(loaded.standing, protocol::Permission::kWrite);
}

// A row for the audit: the former content, and the reason for the change.
std::string HistoryOf(const protocol::Message& before, const Caller& caller,
                      const std::optional<protocol::Text<1000>>& reason, protocol::Time now) {
  return protocol::Encode(HistoryRow{before, caller.user, reason, now});
}

// The message with the content that staff withheld, so that its author cannot delete the evidence against
// them.
protocol::Message Said(const MessageRow& row) {
  protocol::Message out = row.item;
  if (!row.hidden.withheld.value) return out;
  out.body = row.hidden.withheld.value->body;
  out.attachments = row.hidden.withheld.value->attachments;
  return out;
}

void KeepHistory(const MessageLoaded& loaded, const protocol::Message& message, const Caller& caller,
                 const std::optional<protocol::Text<1000>>& reason, Draft* draft) {
  draft->Write(HistoryKey(message.message_id, message.seq),
               HistoryOf(Said(loaded.message), caller, reason, draft->now()));
  draft->WillAge(kHistoryRound);
}

// Records a change by staff with a reason, even of their own messages.
void RecordChange(std::string_view op, const MessageLoaded& loaded, const protocol::Message& after,
                  const Caller& caller, const std::optional<protocol::Text<1000>>& reason, Draft* draft,
                  protocol::IdSource* ids) {
  if (!caller.is_staff() || !reason || reason->value.empty()) return;
  const protocol::Message before = Said(loaded.message);
  const auto state = [](const protocol::Message& message) {
    return protocol::StatesOf(
        {{"body", protocol::AuditHash(message.body)}, {"state", message.deleted_at ? "deleted" : "shown"}});
  };
  RecordAct(draft, caller,
            {.action = std::string(op),
             .reason = reason->value,
             .message_id = before.message_id,
             .user_id = before.author_user_id,
             .before = state(before),
             .after = state(after)},
            ids);
}

// Limits the number of edits, since each keeps the previous text.
protocol::Status CountEdit(const Caller& caller, MessageRow* row) {
  int64_t edits = row->hidden.edits.value.value_or(0);
  if (++edits > (caller.is_staff() ? 2 * kMaxEdits : kMaxEdits))
    return ErrorFor(protocol::Reason::kTooManyEdits, "the message has reached its limit of edits");
  row->hidden.edits.value = edits;
  return protocol::Ok();
}

void LoseContent(protocol::Time now, MessageRow* row) {
  row->item.body.clear();
  row->item.attachments.items.clear();
  if (row->item.action) row->item.action->payload = EmptyPayload();
  row->item.deleted_at = now;
  row->hidden.withheld = {};
}

}  // namespace

Result<MessageLoaded> LoadMessage(Transaction& tx, const Caller& caller, const ThreadId& thread,
                                  const MessageId& id) {
  PARLEY_TRY(standing, tx.StandingOf(caller, thread));
  PARLEY_TRY(message, tx.Rows(caller.tenant).Message(thread, id));
  if (!message || !MaySee(caller, message->hidden.only_for))
    return ErrorFor(protocol::Reason::kNoMessage, "no such message in this thread");
  return MessageLoaded{std::move(standing), std::move(*message), {}};
}

void RefreshPreview(Draft* draft, const protocol::Message& message) {
  auto& last = draft->head().hidden.last_message;
  if (!last || last->message_id != message.message_id) return;
  last->preview = PreviewOf(message);
  draft->head().hidden.preview_rule.value = kPreviewRule;
}

Result<MessageLoaded> EditMessage::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  return LoadMessage(tx, caller, args.thread_id, args.message_id);
}

Result<Decision> EditMessage::Decide(const MessageLoaded& loaded, const Caller& caller, const Op::Args& args,
                                     const SizeLimits& limits, Moment moment) {
  if (!IsWritten(loaded.message.item))
    return ErrorFor(protocol::Reason::kMessageKindFixed, "this kind of message cannot be changed");
  PARLEY_CHECK_OK(MayChange(loaded, caller, args.reason, limits, moment.now));
  PARLEY_CHECK_OK(MayWriteText(loaded, caller, args.body.value));
  PARLEY_CHECK_OK(RequirePossible(loaded.message, MessageAct::kEdit));
  if (args.body.value.size() > limits.max_body_bytes)
    return ErrorFor(protocol::Reason::kTextTooLong, "the body is longer than maxBodyBytes");
  if (args.body.value.empty() && loaded.message.item.type == protocol::MessageType::kText) {
    return Error::BadField("body", "is empty");
  }
  if (args.body.value == loaded.message.item.body) return AnswerOnly(MessageReplyOf(loaded.message.item));
  Draft draft(loaded.standing.head, moment.now);
  MessageRow row = loaded.message;
  row.item.body = BodyFor(loaded.judged, args.body.value, &row.item.flags);
  row.item.edited_at = moment.now;
  PARLEY_CHECK_OK(CountEdit(caller, &row));
  // The other members' view stays as it was, and the answer hides that from the author.
  const bool seen_by_all = !row.hidden.only_for.value;
  if (loaded.standing.barriers.shadowed() && seen_by_all) return AnswerOnly(MessageReplyOf(row.item));
  const protocol::Message message = draft.MessageChanged(std::move(row));
  KeepHistory(loaded, message, caller, args.reason, &draft);
  KeepOriginal(&draft, loaded.judged, caller, message, args.body.value);
  RecordChange(Op::kName, loaded, message, caller, args.reason, &draft, moment.ids);
  RefreshPreview(&draft, message);
  return draft.Finish(MessageReplyOf(message));
}

protocol::Status MayDelete(const MessageLoaded& loaded, const Caller& caller,
                           const protocol::MessageDelete::Args& args, const SizeLimits& limits,
                           protocol::Time now) {
  PARLEY_CHECK_OK(MayChange(loaded, caller, args.reason, limits, now));
  return RequirePossible(loaded.message, MessageAct::kDelete);
}

protocol::Message Delete(const MessageLoaded& loaded, const Caller& caller,
                         const protocol::MessageDelete::Args& args, Draft* draft, protocol::IdSource* ids) {
  MessageRow row = loaded.message;
  LeaveFiles(caller.tenant, row, draft);
  LoseContent(draft->now(), &row);
  if (row.item.pin.value) {
    row.item.pin.value.reset();
    RemovePin(row.item.message_id, &draft->head().item);
  }
  // A restricted message is uncounted already.
  if (!row.hidden.only_for.value) draft->Uncount(row.item.msg_no);
  const protocol::Message message = draft->MessageChanged(std::move(row));
  KeepHistory(loaded, message, caller, args.reason, draft);
  RecordChange(protocol::MessageDelete::kName, loaded, message, caller, args.reason, draft, ids);
  RefreshPreview(draft, message);
  return message;
}

}  // namespace parley::threads
