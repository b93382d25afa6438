#include "threads/messages/send_message.h"

#include <algorithm>

#include "protocol/base/reason.h"
#include "threads/engine/idempotency.h"
#include "threads/files/attach.h"
#include "threads/model/message_acts.h"
#include "threads/model/message_row.h"
#include "threads/model/preview.h"

namespace parley::threads {
namespace {

using MessageArgs = protocol::MessageSend::Args;

protocol::Status CheckContent(const MessageArgs& args, const SizeLimits& limits) {
  if (args.body.value.size() > limits.max_body_bytes)
    return ErrorFor(protocol::Reason::kTextTooLong, "the body is longer than maxBodyBytes");
  return protocol::Ok();
}

// An error that does not depend on state is the same for every caller, so this runs before the check of
// membership.
protocol::Status CheckShape(const MessageArgs& args) {
  const bool has_attachments = args.attachments && !args.attachments->items.empty();
  if (args.type == protocol::SendType::kText && args.body.value.empty())
    return Error::BadField("body", "is empty");
  if (args.type == protocol::SendType::kAsset && !has_attachments)
    return Error::BadField("attachments", "an asset message has at least one");
  return has_attachments ? CheckRefs(*args.attachments) : protocol::Ok();
}

// Fields that only services set. Checked after a repeat is answered: earlier releases let users set them.
protocol::Status MaySet(const Caller& caller, const MessageArgs& args) {
  if (args.nsfw_band && !caller.is_service())
    return Error::BadField("nsfwBand", "follows from the attachments");
  return args.attachments ? RequireMaySet(caller, *args.attachments) : protocol::Ok();
}

// A member who may only send files may not add a text to them.
protocol::Status MaySend(const Standing& standing, const MessageArgs& args) {
  const bool files_only = args.type == protocol::SendType::kAsset && args.body.value.empty();
  return RequirePermission(standing,
                           files_only ? protocol::Permission::kFiles : protocol::Permission::kWrite);
}

}  // namespace

Result<SendMessage::Loaded> SendMessage::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  PARLEY_CHECK_OK(CheckShape(args));
  PARLEY_TRY(standing, tx.StandingOf(caller, args.thread_id));
  Loaded loaded{std::move(standing)};
  if (!caller.user) return loaded;
  const RowReader rows = tx.Rows(caller.tenant);
  PARLEY_TRY(earlier, FindEarlier(tx, args.thread_id, caller, args.client_id));
  loaded.earlier = std::move(earlier);
  if (!loaded.earlier) loaded.paid = tx.Pay(ForSend(caller, loaded.standing.head, args.body.value));
  if (args.attachments && !loaded.earlier) {
    loaded.uploads = FindUploads(rows, args.thread_id, caller, *args.attachments);
  }
  if (args.reply_to && !loaded.earlier) {
    PARLEY_TRY(replied, rows.Message(args.thread_id, *args.reply_to));
    loaded.reply_to_exists =
        replied && MayAnswer(*replied, OnlyForShadowed(loaded.standing.barriers, caller));
  }
  return loaded;
}

Result<Decision> SendMessage::Decide(Loaded loaded, const Caller& caller, const Op::Args& args,
                                     const SizeLimits& limits, Moment moment) {
  const std::string within = loaded.broadcast ? loaded.broadcast->lbg_id.value : "";
  if (loaded.earlier) return AnswerRepeat<Op::Reply>(*loaded.earlier, args, within);
  PARLEY_CHECK_OK(MaySet(caller, args));
  PARLEY_CHECK_OK(MaySend(loaded.standing, args));
  PARLEY_CHECK_OK(RequireMayWrite(loaded.standing, caller, Writing::kMessage));
  PARLEY_CHECK_OK(std::move(loaded.paid));
  PARLEY_CHECK_OK(CheckContent(args, limits));
  PARLEY_TRY(uploads, std::move(loaded.uploads));
  PARLEY_CHECK_OK(RequireSendable(uploads));
  if (!loaded.reply_to_exists)
    return ErrorFor(protocol::Reason::kNoReplyTarget, "replyTo names no message of this thread");

  protocol::Message message;
  message.type =
      args.type == protocol::SendType::kAsset ? protocol::MessageType::kAsset : protocol::MessageType::kText;
  message.body = BodyFor(loaded.judged, args.body.value, &message.flags);
  if (args.attachments) message.attachments = AttachmentsFor(*args.attachments, uploads);
  message.author_user_id = caller.user;
  message.nsfw_band = std::max(args.nsfw_band ? args.nsfw_band->value : 0, BandOf(message.attachments, 0));
  message.client_id = args.client_id;
  message.reply_to = args.reply_to;
  message.broadcast.value = loaded.broadcast;

  Draft draft(std::move(loaded.standing.head), moment.now);
  const std::string preview = PreviewOf(message);
  message = draft.AppendMessage(std::move(message), preview, moment.ids,
                                OnlyForShadowed(loaded.standing.barriers, caller));
  MarkSent(caller.tenant, args.thread_id, uploads, message.message_id, &draft);
  KeepOriginal(&draft, loaded.judged, caller, message, args.body.value);
  ParticipantRow me = *std::move(loaded.standing.me);
  me.hidden.own_no = message.msg_no;
  draft.ParticipantPersonal(std::move(me));

  Op::Reply reply;
  reply.message_id = message.message_id;
  reply.created_at = message.created_at;
  reply.seq = message.seq;
  reply.msg_no = message.msg_no;
  reply.nudge = NudgeFor(loaded.judged);
  const std::string encoded = protocol::Encode(reply);
  Remember(&draft, caller, args.client_id, DigestOf(args, within), encoded);
  return draft.Finish(encoded);
}

}  // namespace parley::threads
