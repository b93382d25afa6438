#include "threads/cards/resolve_card.h"

#include "protocol/base/reason.h"
#include "threads/cards/payload.h"

namespace parley::threads {
namespace {

constexpr std::string_view kConflictCode = "ACTION_CONFLICT";
constexpr std::string_view kFailedCode = "FAILED";

protocol::CardError ErrorOf(const protocol::CardResolve::Args& args) {
  protocol::CardError error = args.error.value_or(protocol::CardError{});
  if (args.outcome == protocol::EffectOutcome::kConflict) {
    error.code.value = kConflictCode;
  } else if (error.code.value.empty()) {
    error.code.value = kFailedCode;
  }
  return error;
}

}  // namespace

Result<CardLoaded> ResolveCard::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  return LoadCard(tx, caller, args.thread_id, args.message_id, args.client_id);
}

Result<Decision> ResolveCard::Decide(const CardLoaded& loaded, const Caller& caller, const Op::Args& args,
                                     const SizeLimits&, Moment moment) {
  if (loaded.earlier) return AnswerCardRepeat<Op::Reply>(*loaded.earlier, loaded.answered, args);
  if (!caller.is_service()) return ErrorFor(protocol::Reason::kOnlyServices, "only a service does this");
  if (!loaded.card) return ErrorFor(protocol::Reason::kNoCard, "no such card in this thread");
  if (args.data) PARLEY_CHECK_OK(CheckOpenData("data", *args.data));
  CardWithMessage card = *loaded.card;
  const auto& awaiting = card.card.item.awaiting;
  if (!awaiting || awaiting->effect_id.value != args.effect_id.value) {
    Error error = ErrorFor(protocol::Reason::kCardMovedOn, "the card does not wait for this effect");
    error.current = Wire(card.card.item);
    return error;
  }
  // The outside effect has happened, so its outcome is recorded even if the thread was locked since.
  Draft draft(loaded.standing.head, moment.now);
  CardWriter writer(&draft, loaded.ports, moment.ids);
  CardStep step;
  step.doer = {awaiting->by, "service", std::nullopt};
  step.data = args.data;
  if (card.card.item.note) step.note = card.card.item.note->value;  // the note given with the intent
  const bool done = args.outcome == protocol::EffectOutcome::kOk;
  step.intent = done ? awaiting->intent.value : "fail";
  auto move = FindMove(card.card.item, step.intent);
  if (done && !move) return Error(ErrorCode::kInternal, "stored data cannot be read");
  if (move && (done || args.outcome == protocol::EffectOutcome::kFailed)) {
    step.move = std::move(*move);
    if (!done) step.error = ErrorOf(args);
    writer.EndWaiting(&card);
    writer.Settle(&card, step);
  } else {
    writer.Refuse(&card, step.doer, ErrorOf(args));
  }
  Op::Reply reply;
  reply.card = card.card.item;
  const Standing standing{HeadAsOf(draft.head(), moment.now), loaded.standing.me, loaded.standing.barriers};
  reply.card.allowed.value = AllowedFor(caller, standing, card.card, moment.now);
  const std::string encoded = protocol::Encode(reply);
  Remember(&draft, caller, args.client_id, DigestOf(args), encoded);
  return draft.Finish(encoded);
}

}  // namespace parley::threads
