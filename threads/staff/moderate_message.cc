#include "threads/staff/moderate_message.h"

#include "protocol/base/reason.h"
#include "threads/files/condemn.h"
#include "threads/files/file_upkeep.h"
#include "threads/model/mask.h"
#include "threads/model/message_acts.h"
#include "threads/model/record_act.h"

namespace parley::threads {

using protocol::Moderation;

namespace {

std::string ReplyFor(protocol::Message message, const MessageRow::Private& hidden, bool masked) {
  if (hidden.flagged.value) message.flags.moderation = Moderation::kFlagged;
  protocol::MessageReply reply;
  reply.message.msgpack = Wire(masked ? Masked(std::move(message)) : message);
  return protocol::Encode(reply);
}

MessageAct ActOf(Moderation moderation) {
  switch (moderation) {
    case Moderation::kBlocked:
      return MessageAct::kWithhold;
    case Moderation::kRedacted:
      return MessageAct::kRedact;
    case Moderation::kClean:
    case Moderation::kFlagged:
      break;
  }
  return MessageAct::kRestore;
}

std::string_view ModerationShown(const MessageRow& row) {
  return protocol::NameOf(row.hidden.flagged.value ? Moderation::kFlagged : row.item.flags.moderation);
}

}  // namespace

Result<ModerateMessage::Loaded> ModerateMessage::Load(Transaction& tx, const Caller& caller,
                                                      const Op::Args& args) {
  if (args.reason.value.empty()) return Error::BadField("reason", "is required");
  if (args.illegal.value_or(false) && args.moderation != Moderation::kRedacted)
    return Error::BadField("illegal", "only what is redacted is illegal");
  PARLEY_TRY(standing, tx.StandingOf(caller, args.thread_id));
  if (!caller.is_staff()) return ErrorFor(protocol::Reason::kOnlyStaff, "only staff moderate messages");
  const RowReader rows = tx.Rows(caller.tenant);
  PARLEY_TRY(message, rows.Message(args.thread_id, args.message_id));
  if (!message) return ErrorFor(protocol::Reason::kNoMessage, "no such message in this thread");
  Loaded loaded{std::move(standing), *std::move(message), {}, tx.policy(caller.tenant).card_ports};
  PARLEY_TRY(evidence, FindEvidence(rows, loaded.message));
  loaded.evidence = std::move(evidence);
  if (args.moderation == Moderation::kRedacted) {
    PARLEY_TRY(kept, FindKept(rows, args.thread_id, args.message_id));
    loaded.kept = std::move(kept);
  }
  return loaded;
}

Result<Decision> ModerateMessage::Decide(Loaded loaded, const Caller& caller, const Op::Args& args,
                                         const SizeLimits&, Moment moment) {
  const MessageRow& before = loaded.message;
  const bool masked = loaded.standing.masked;
  if (caller.user && before.item.author_user_id == caller.user)
    return ErrorFor(protocol::Reason::kAboutOneself, "a decision about oneself is not allowed");
  PARLEY_CHECK_OK(RequirePossible(before, ActOf(args.moderation)));
  MessageRow row = before;
  const std::string hash = SetModeration(args.moderation, &row);
  if (args.nsfw_band) row.item.nsfw_band = args.nsfw_band->value;
  const bool visible = Wire(row.item) != Wire(before.item) || !loaded.kept.emptied.empty();
  if (!visible && EncodeItem(row) == EncodeItem(before))
    return AnswerOnly(ReplyFor(row.item, row.hidden, masked));

  Draft draft(loaded.standing.head, moment.now);
  StaffAct act{Op::kName.data(), args.reason.value, args.message_id};
  act.user_id = before.item.author_user_id;
  act.before = protocol::StatesOf({{"moderation", ModerationShown(before)}});
  act.after = protocol::StatesOf({{"moderation", ModerationShown(row)}});
  if (!hash.empty())
    act.before = protocol::StatesOf({{"moderation", ModerationShown(before)}, {"content", hash}});
  RecordAct(&draft, caller, std::move(act), moment.ids);
  if (args.moderation == Moderation::kRedacted) LeaveFiles(caller.tenant, before, &draft);
  if (args.illegal.value_or(false))
    CondemnFiles(caller.tenant, before, args.reason.value, moment.ids, &draft);
  if (!row.hidden.flagged.value) LeaveEvidence(caller.tenant, args.thread_id, loaded.evidence, &draft);
  const auto hidden = row.hidden;
  protocol::Message message = row.item;
  if (visible) {
    CardWriter cards(&draft, loaded.ports, moment.ids);
    message = ContentChanged(std::move(row), std::move(loaded.kept), DoerOf(caller, args.reason.value),
                             &cards, &draft);
  } else {
    draft.MessageFollows(row);  // only staff see a flag
  }
  return draft.Finish(ReplyFor(std::move(message), hidden, masked));
}

}  // namespace parley::threads
