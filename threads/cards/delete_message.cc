#include "threads/cards/delete_message.h"

#include "threads/model/replies.h"

namespace parley::threads {
namespace {

CardDoer DoerFor(const Caller& caller, const protocol::MessageDelete::Args& args) {
  return DoerOf(caller, args.reason ? std::optional(args.reason->value) : std::nullopt);
}

}  // namespace

Result<DeleteMessage::Loaded> DeleteMessage::Load(Transaction& tx, const Caller& caller,
                                                  const Op::Args& args) {
  PARLEY_TRY(of, LoadMessage(tx, caller, args.thread_id, args.message_id));
  Loaded loaded{std::move(of), std::nullopt, tx.policy(caller.tenant).card_ports};
  if (loaded.of.message.item.type != protocol::MessageType::kAction) return loaded;
  PARLEY_TRY(card, tx.Rows(caller.tenant).Card(args.thread_id, args.message_id));
  loaded.card = std::move(card);
  return loaded;
}

Result<Decision> DeleteMessage::Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                       const SizeLimits& limits, Moment moment) {
  PARLEY_CHECK_OK(MayDelete(loaded.of, caller, args, limits, moment.now));
  if (loaded.of.message.item.deleted_at) return AnswerOnly(MessageReplyOf(loaded.of.message.item));
  Draft draft(loaded.of.standing.head, moment.now);
  const protocol::Message message = Delete(loaded.of, caller, args, &draft, moment.ids);
  if (loaded.card) CardWriter(&draft, loaded.ports, moment.ids).Empty(*loaded.card, DoerFor(caller, args));
  return draft.Finish(MessageReplyOf(message));
}

}  // namespace parley::threads
