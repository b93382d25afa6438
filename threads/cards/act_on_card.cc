// card.act: one intent on one card, by the table or by the card's own transitions.
#include "threads/cards/commands.h"
#include "threads/commands.h"
#include "threads/idempotency.h"

namespace parley::threads {
namespace {

using Args = protocol::CardAct::Args;

Error WithCurrent(ErrorCode code, const char* what, const protocol::Card& card) {
  Error error(code, what);
  error.current = Wire(card);
  return error;
}

// How often revisions may be asked for, if the deliverable says so.
std::optional<int64_t> RevisionCap(const protocol::Card& card) {
  protocol::Document document;
  if (protocol::DecodeMsgpack(card.payload.msgpack, {}, &document)) return std::nullopt;
  const protocol::Value* most = document.root.Find("maxRevisions");
  return most && most->as_int() ? std::optional(*most->as_int()) : std::nullopt;
}

// The payload anew, for a resubmission. What was agreed stays: the cap. A final's manifest never changes, so
// a new delivery names a new one.
Result<protocol::Json> NewPayload(const protocol::Card& card, const protocol::Json& data) {
  const CardKind* kind = FindKind(card.type.value);
  PARLEY_TRY(payload, CheckPayload(kind, data));
  const std::string before = PayloadText(card.payload, "manifestRef");
  if (kind && kind->payload == &schemas::kFinal && payload.manifest == before) {
    Error error(ErrorCode::kCardInvalid, "a manifest is immutable: a new delivery names a new one");
    error.fields.emplace_back("manifestRef", "is that of the delivery before");
    return error;
  }
  if (payload.max_revisions != RevisionCap(card)) {
    Error error(ErrorCode::kCardInvalid, "the number of revisions is agreed when the card is opened");
    error.fields.emplace_back("maxRevisions", "can not be changed");
    return error;
  }
  return std::move(payload.json);
}

Result<std::string> ReplyFor(const Caller& caller, const Standing& standing, const protocol::Card& card,
                             protocol::Time now) {
  protocol::CardReply reply;
  reply.card = card;
  reply.card.allowed.value = AllowedFor(caller, standing, card, now);
  return protocol::Encode(reply);
}

// A counter-proposal: another card of the kind, by the one who was asked.
Result<protocol::Card> CounterCard(const protocol::Card& card, const Caller& caller,
                                   const std::optional<protocol::Json>& data, const ThreadRow& head) {
  if (!IsParty(head, caller.user))
    return Error(ErrorCode::kForbidden, "only the other side makes a counter-proposal");
  if (!data) return Error::BadField("data", "is required: the counter-proposal");
  PARLEY_TRY(payload, CheckPayload(FindKind(card.type.value), *data));
  protocol::Card out;
  out.type = card.type;
  out.payload = std::move(payload.json);
  out.created_by = *caller.user;
  out.supersedes = card.message_id;
  return out;
}

bool IsCounter(const CardStep& step) {
  return step.move.rule && step.move.rule->data == CardData::kCounter;
}

}  // namespace

Result<CardStep> JudgeAct(const Standing& standing, const Caller& caller, const CardWithMessage& loaded,
                          const ActRequest& request, protocol::Time now) {
  const protocol::Card& card = loaded.card.item;
  if (card.state.value == kExpired || IsLapsed(card, now))
    return WithCurrent(ErrorCode::kCardExpired, "the card's time is over", card);
  if (request.version && *request.version != card.version)
    return WithCurrent(ErrorCode::kVersionConflict, "the card has moved on", card);
  if (card.awaiting)
    return WithCurrent(ErrorCode::kActionInvalidState, "the card waits for an outside effect", card);
  const auto move = FindMove(card, request.intent);
  if (!move) return WithCurrent(ErrorCode::kActionInvalidState, "not from this state", card);
  CardStep step;
  step.intent = request.intent;
  step.move = *move;
  const Permit permit = MayMove(caller, standing, card, *move);
  if (permit == Permit::kNo) return Error(ErrorCode::kForbidden, "this is not the caller's to decide");
  if (permit == Permit::kWithReason && (!request.reason || request.reason->empty()))
    return Error::BadField("reason", "is required of staff");
  step.doer = DoerOf(caller, request.reason);
  if (move->rule) PARLEY_CHECK_OK(CheckObstacles(standing.head, move->rule->unless));
  if (request.intent == "request_revisions" &&
      loaded.card.hidden.revisions >= RevisionCap(card).value_or(INT64_MAX))
    return WithCurrent(ErrorCode::kActionInvalidState, "all agreed revisions were asked for", card);
  const CardData takes = move->rule ? move->rule->data : CardData::kNote;
  if (takes == CardData::kPayload && request.data) {
    PARLEY_TRY(payload, NewPayload(card, *request.data));
    if (std::string note = PayloadText(payload, "note"); !note.empty()) step.note = std::move(note);
    step.payload = std::move(payload);
  } else if (takes == CardData::kPayload) {
    return Error::BadField("data", "is required: the payload anew");
  } else if (takes == CardData::kNote) {
    PARLEY_TRY(note, CheckNote(request.data));
    step.note = std::move(note);
  }
  step.data = request.data;
  return step;
}

Result<CardLoaded> LoadCard(Stage& stage, const Caller& caller, const ThreadId& thread,
                            const MessageId& message, const ClientId& client) {
  PARLEY_TRY(standing, stage.StandingOf(caller, thread));
  CardLoaded loaded;
  loaded.standing = std::move(standing);
  loaded.ports = stage.policy(caller.tenant).card_ports;
  const RowReader rows = stage.Rows(caller.tenant);
  PARLEY_TRY(earlier, FindEarlier(rows, thread, caller, client, stage.moment().now));
  loaded.earlier = std::move(earlier);
  if (loaded.earlier) return loaded;
  PARLEY_TRY(card, ReadCard(rows, thread, message));
  loaded.card = std::move(card);
  return loaded;
}

Result<CardLoaded> ActOnCard::Load(Stage& stage, const Caller& caller, const Op::Args& args) {
  return LoadCard(stage, caller, args.thread_id, args.message_id, args.client_id);
}

Result<Decision> ActOnCard::Decide(const CardLoaded& loaded, const Caller& caller, const Op::Args& args,
                                   const Limits&, Moment moment) {
  const std::string digest = DigestOf(args);
  if (loaded.earlier) return AnswerRepeat<Op::Reply>(*loaded.earlier, digest);
  const Standing& standing = loaded.standing;
  if (standing.me) PARLEY_CHECK_OK(RequirePermission(standing, protocol::Permission::kWrite));
  PARLEY_CHECK_OK(RequireProject(standing.head));
  PARLEY_CHECK_OK(RequireOpen(standing.head));
  if (!loaded.card) return Error(ErrorCode::kNotFound, "no such card in this thread");
  ActRequest request{args.intent.value, args.version.value, args.data, std::nullopt};
  if (args.reason) request.reason = args.reason->value;
  PARLEY_TRY(step, JudgeAct(standing, caller, *loaded.card, request, moment.now));

  Draft draft(standing.head, moment.now);
  CardWriter writer(&draft, loaded.ports, moment.ids);
  CardWithMessage card = *loaded.card;
  if (IsCounter(step)) {
    PARLEY_TRY(counter, CounterCard(card.card.item, caller, args.data, standing.head));
    const CardWithMessage opened = writer.Open(std::move(counter), std::nullopt, step.doer);
    step.superseded_by = opened.card.item.message_id;
    ParticipantRow me = *standing.me;
    me.hidden.own_no = opened.message.item.msg_no;
    draft.ParticipantPersonal(std::move(me));
  }
  writer.Take(&card, step);
  PARLEY_TRY(reply, ReplyFor(caller, {draft.head(), standing.me}, card.card.item, moment.now));
  Remember(&draft, caller, args.client_id, digest, reply);
  return draft.Finish(reply);
}

}  // namespace parley::threads
