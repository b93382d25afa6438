// The op card.act: one intent on one card, by the table or by the card's own transitions.
#include "threads/cards/act_on_card.h"

#include <algorithm>

#include "protocol/base/encoding.h"
#include "protocol/base/reason.h"
#include "threads/cards/card_view.h"
#include "threads/cards/outbox.h"
#include "threads/cards/payload.h"

namespace parley::threads {
namespace {

using ActArgs = protocol::CardAct::Args;

constexpr std::string_view kWithdrawnCode = "WITHDRAWN";

Error Invalid(const char* field, const char* why, const char* what) {
  Error error(ErrorCode::kCardInvalid, why);
  error.fields.emplace_back(field, what);
  return error;
}

// Returns text of fixed size, however long the reference is.
std::string DigestOfManifest(std::string_view ref) {
  return protocol::Hex(protocol::Sha256(ref).substr(0, 16));
}

// Requires a new manifest for each final delivery, since a manifest never changes.
protocol::Status CheckManifest(const CardRow& card, const std::string& manifest) {
  if (PayloadText(card.item.payload, "manifestRef") == manifest)
    return Invalid("manifestRef", "a manifest is immutable: a new delivery names a new one",
                   "is that of the delivery before");
  const auto& before = card.hidden.delivered.value;
  if (!before) return protocol::Ok();
  const protocol::Text<32> digest{DigestOfManifest(manifest)};
  if (std::find(before->items.begin(), before->items.end(), digest) != before->items.end())
    return Invalid("manifestRef", "a manifest is immutable: a new delivery names a new one",
                   "is that of an earlier delivery");
  if (before->items.size() == kMaxDeliveries)
    return ErrorFor(protocol::Reason::kTooManyDeliveries, "there were too many deliveries");
  return protocol::Ok();
}

// The new payload of a resubmission, with the agreed limit of revisions.
Result<protocol::Json> NewPayload(const CardRow& card, const protocol::Thread& thread, const Caller& caller,
                                  const protocol::Json& data) {
  const CardKind* kind = FindKind(card.item.type.value);
  PARLEY_TRY(payload, CheckPayload(kind, thread, data));
  PARLEY_CHECK_OK(CheckOrigins(kind, payload.json, caller));
  if (kind && kind->payload == &schemas::kFinal) PARLEY_CHECK_OK(CheckManifest(card, payload.manifest));
  if (payload.max_revisions != PayloadInt(card.item.payload, "maxRevisions"))
    return Invalid("maxRevisions", "the number of revisions is agreed when the card is opened",
                   "cannot be changed");
  return std::move(payload.json);
}

// Checks `data` and applies it to the step.
protocol::Status TakeData(const CardRow& card, const protocol::Thread& thread, const Caller& caller,
                          const std::optional<protocol::Json>& data, CardStep* step) {
  step->data = data;
  switch (step->move.rule ? step->move.rule->data : CardData::kNote) {
    case CardData::kNote: {
      PARLEY_TRY(note, CheckNote(data));
      step->note = std::move(note);
      return protocol::Ok();
    }
    case CardData::kPayload: {
      if (!data) return Error::BadField("data", "is required: the new payload");
      PARLEY_TRY(payload, NewPayload(card, thread, caller, *data));
      if (std::string note = PayloadText(payload, "note"); !note.empty()) step->note = std::move(note);
      step->payload = std::move(payload);
      return protocol::Ok();
    }
    case CardData::kCounter:
      if (!data) return Error::BadField("data", "is required: the counter-proposal");
      return protocol::Ok();
  }
  return protocol::Ok();
}

Result<std::string> ReplyFor(const Caller& caller, const Standing& standing, const CardRow& card,
                             protocol::Time now) {
  protocol::CardReply reply;
  reply.card = card.item;
  reply.card.allowed.value = AllowedFor(caller, standing, card, now);
  return protocol::Encode(reply);
}

// The payload with one more field.
protocol::Json With(const protocol::Json& payload, std::string_view field, const std::string& text) {
  protocol::Document document;
  if (!DecodeStored(payload.msgpack, &document) || !document.root.as_map()) return payload;
  protocol::Writer w;
  w.BeginMap(document.root.as_map()->size() + 1);
  for (const auto& [name, member] : *document.root.as_map()) {
    w.Text(name);
    w.Put(member);
  }
  w.Text(field);
  w.Text(text);
  return {w.Take()};
}

// Gives a counter-proposal the booking of its proposal, or rejects it if it names another.
protocol::Status KeepBooking(const protocol::Card& card, const protocol::Thread& thread,
                             protocol::Json* payload) {
  const std::string booking = BookingOf(thread, card.payload), named = BookingOf(thread, *payload);
  if (booking == named) return protocol::Ok();
  const char* field = PayloadText(card.payload, "legId").empty() ? "orderId" : "legId";
  if (!named.empty()) return Invalid(field, "the counter-proposal is about another booking", "is another");
  *payload = With(*payload, field, booking);
  return protocol::Ok();
}

// The card of a counter-proposal, of the same kind and by the counterpart. By default it lapses when the card
// that it answers would have.
Result<protocol::Card> CounterCard(const protocol::Card& card, const Caller& caller, const ActArgs& args,
                                   const protocol::Thread& thread, protocol::Time now) {
  PARLEY_TRY(payload, CheckPayload(FindKind(card.type.value), thread, *args.data));
  if (args.expires_at && *args.expires_at <= now)
    return Invalid("expiresAt", "expiresAt: is over", "is over");
  PARLEY_CHECK_OK(KeepBooking(card, thread, &payload.json));
  protocol::Card out;
  out.type = card.type;
  out.payload = std::move(payload.json);
  out.created_by = *caller.user;
  out.supersedes = card.message_id;
  out.expires_at = args.expires_at ? args.expires_at : card.expires_at;
  out.due_at = card.due_at;
  return out;
}

// Ends a card's waiting for an outside effect because no answer comes. The card keeps its state and accepts
// another intent.
Result<CardStep> JudgeWithdrawal(const Standing& standing, const Caller& caller, const ActRequest& request,
                                 CardStep step) {
  const Permit permit = MayWithdraw(caller, standing);
  if (permit == Permit::kNo)
    return ErrorFor(protocol::Reason::kWithdrawnBySupport, "only support and services may withdraw it");
  if (permit == Permit::kWithReason && (!request.reason || request.reason->empty()))
    return Error::BadField("reason", "is required of staff");
  step.withdraws = true;
  step.error = protocol::CardError{{std::string(kWithdrawnCode)}, {"the outside effect got no answer"}};
  return step;
}

}  // namespace

Result<CardStep> JudgeAct(const Standing& standing, const Caller& caller, const CardWithMessage& loaded,
                          const ActRequest& request, protocol::Time now) {
  const protocol::Card& card = loaded.card.item;
  const auto refuse = [&](Error error) {
    protocol::Card shown = card;  // As of now, so that the error does not show content that has expired.
    ShowAsOf(&shown, now);
    error.current = Wire(shown);
    return error;
  };
  if (IsRedacted(card)) return refuse(ErrorFor(protocol::Reason::kCardRedacted, "staff redacted the card"));
  if (card.state.value == kExpired || IsLapsed(card, now))
    return refuse({ErrorCode::kCardExpired, "the card's time is over"});
  if (request.version && *request.version != card.version)
    return refuse({ErrorCode::kVersionConflict, "the card has moved on"});
  CardStep step;
  step.intent = request.intent;
  step.doer = DoerOf(caller, request.reason);
  if (card.awaiting && request.intent == kWithdraw)
    return JudgeWithdrawal(standing, caller, request, std::move(step));
  if (card.awaiting)
    return refuse(ErrorFor(protocol::Reason::kCardWaits, "the card waits for an outside effect"));
  const auto move = FindMove(card, request.intent);
  if (!move) return refuse(ErrorFor(protocol::Reason::kCardMovedOn, "not from this state"));
  step.move = *move;
  const auto permit = JudgeMove(caller, standing, loaded.card, *move);
  if (!permit.ok() && permit.error().code == ErrorCode::kActionInvalidState) return refuse(permit.error());
  if (!permit.ok()) return permit.error();
  if (*permit == Permit::kWithReason && (!request.reason || request.reason->empty()))
    return Error::BadField("reason", "is required of staff");
  PARLEY_CHECK_OK(TakeData(loaded.card, standing.head.item, caller, request.data, &step));
  return step;
}

Result<CardLoaded> ActOnCard::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  PARLEY_TRY(loaded, LoadCard(tx, caller, args.thread_id, args.message_id, args.client_id));
  PARLEY_TRY(full, IsOutboxFull(tx, caller, args.thread_id));
  loaded.outbox_full = full;
  return std::move(loaded);
}

namespace {

protocol::Status MayAct(const CardLoaded& loaded, const Caller& caller) {
  const Standing& standing = loaded.standing;
  if (standing.me) PARLEY_CHECK_OK(RequirePermission(standing, protocol::Permission::kWrite));
  PARLEY_CHECK_OK(RequireProject(standing.head));
  PARLEY_CHECK_OK(RequireMayWrite(standing, caller, Writing::kRemoval));
  if (!loaded.card) return ErrorFor(protocol::Reason::kNoCard, "no such card in this thread");
  return protocol::Ok();
}

// Stores the digest of the manifest that a new delivery replaces.
void RememberManifest(const CardStep& step, CardRow* card) {
  const CardKind* kind = FindKind(card->item.type.value);
  if (!step.payload || !kind || kind->payload != &schemas::kFinal) return;
  auto& before = card->hidden.delivered.value;
  if (!before) before.emplace();
  before->items.push_back({DigestOfManifest(PayloadText(card->item.payload, "manifestRef"))});
}

void OpenCounter(const Standing& standing, protocol::Card counter, Draft* draft, CardWriter* writer,
                 CardStep* step) {
  const CardWithMessage opened = writer->Open(std::move(counter), {}, step->doer);
  step->superseded_by = opened.card.item.message_id;
  ParticipantRow me = *standing.me;
  me.hidden.own_no = opened.message.item.msg_no;
  draft->ParticipantPersonal(std::move(me));
}

}  // namespace

Result<Decision> ActOnCard::Decide(const CardLoaded& loaded, const Caller& caller, const Op::Args& args,
                                   const SizeLimits&, Moment moment) {
  if (loaded.earlier) return AnswerCardRepeat<Op::Reply>(*loaded.earlier, loaded.answered, args);
  PARLEY_CHECK_OK(MayAct(loaded, caller));
  Draft draft(loaded.standing.head, moment.now);
  CardWriter writer(&draft, loaded.ports, moment.ids);
  writer.Lapse(loaded.lapsed);
  const Standing standing{draft.head(), loaded.standing.me, loaded.standing.barriers};
  ActRequest request{args.intent.value, args.version.value, args.data, std::nullopt};
  if (args.reason) request.reason = args.reason->value;
  PARLEY_TRY(step, JudgeAct(standing, caller, *loaded.card, request, moment.now));
  PARLEY_CHECK_OK(RequireRoomInOutbox(loaded.outbox_full, standing));
  if (args.expires_at && !IsCounter(step.move))
    return Error::BadField("expiresAt", "is allowed only in a counter-proposal");

  CardWithMessage card = *loaded.card;
  if (IsCounter(step.move)) {
    PARLEY_TRY(counter, CounterCard(card.card.item, caller, args, standing.head.item, moment.now));
    OpenCounter(standing, std::move(counter), &draft, &writer, &step);
  }
  RememberManifest(step, &card.card);
  writer.Take(&card, step);
  PARLEY_TRY(reply, ReplyFor(caller, {draft.head(), standing.me, standing.barriers}, card.card, moment.now));
  Remember(&draft, caller, args.client_id, DigestOf(args), reply);
  return draft.Finish(reply);
}

}  // namespace parley::threads
