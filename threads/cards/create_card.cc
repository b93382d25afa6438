// The op card.create: the ACTION message and its card in one atomic write, which also supersedes the open
// card of its kind or applies the card to another card.
#include "threads/cards/create_card.h"

#include <algorithm>

#include "protocol/base/reason.h"
#include "threads/cards/act_on_card.h"
#include "threads/cards/card_view.h"
#include "threads/cards/outbox.h"
#include "threads/cards/payload.h"
#include "threads/model/message_acts.h"

namespace parley::threads {
namespace {

using CreateCardArgs = protocol::CardCreate::Args;

Error Invalid(std::string field, std::string what) {
  Error error(ErrorCode::kCardInvalid, field + ": " + what);
  error.fields.emplace_back(std::move(field), std::move(what));
  return error;
}

protocol::Status CheckType(const CreateCardArgs& args, const CardKind* kind) {
  if (kind) {
    if (!args.allowed_transitions) return protocol::Ok();
    return CheckOwnTransitions(kind, *args.allowed_transitions);
  }
  if (!IsCustomType(args.type.value)) return Invalid("type", "is not a known type");
  if (!args.allowed_transitions)
    return Invalid("allowedTransitions", "are required of a type that is not known");
  return CheckOwnTransitions(nullptr, *args.allowed_transitions);
}

// Checks the requested end of the card.
protocol::Status CheckEnd(const char* field, const std::optional<protocol::Time>& end, const CardKind* kind,
                          const CheckedPayload& payload, protocol::Time now) {
  if (!end) return protocol::Ok();
  if (payload.until) return Invalid(field, "is given by the payload's until");
  if (kind && !kind->lapses) return Invalid(field, "does not go with this type");
  if (*end <= now) return Invalid(field, "is over");
  return protocol::Ok();
}

protocol::Status CheckEnds(const CreateCardArgs& args, const CardKind* kind, const CheckedPayload& payload,
                           protocol::Time now) {
  if (payload.until && *payload.until <= now) return Invalid("until", "is over");
  PARLEY_CHECK_OK(CheckEnd("expiresAt", args.expires_at, kind, payload, now));
  return CheckEnd("dueAt", args.due_at.value, kind, payload, now);
}

bool IsPending(const OpenCard& card) {
  const CardKind* kind = FindKind(card.type.value);
  return kind && kind->proposal && card.state.value == kind->first;
}

// The limit of open cards for this kind. Safety reports and disputes have a reserve; a card that is final as
// soon as it is opened takes no room.
size_t RoomFor(const CardKind* kind) {
  if (kind && !kind->applies.empty()) return SIZE_MAX;
  return kMaxOpenCards + (kind ? kind->reserve : 0);
}

// The number of pending proposals for the booking. A thread of one leg has only one booking.
size_t PendingProposals(const ThreadRow& head, std::string_view booking) {
  const auto& open = OpenCardsOf(head);
  return static_cast<size_t>(std::count_if(open.begin(), open.end(), [&](const OpenCard& card) {
    return IsPending(card) && (head.item.leg_id || BookingOf(card) == booking);
  }));
}

// Checks the rules across the cards of a thread; each rule applies to one booking.
protocol::Status CheckRoom(const CreateCard::Loaded& loaded, const ThreadRow& head, const Caller& caller,
                           const CardKind* kind, std::string_view booking) {
  if (loaded.superseded) {
    const protocol::Card& other = loaded.superseded->card.item;
    const bool same = head.item.leg_id || BookingOf(head.item, other.payload) == booking;
    if (!same || other.created_by == caller.user || other.awaiting) {
      Error error(ErrorCode::kActionConflict, "one of these is open already");
      error.current = Wire(other);
      return error;
    }
  }
  if (kind) PARLEY_CHECK_OK(CheckObstacles(head, kind->unless, booking));
  const bool one_more = kind && kind->proposal && !loaded.superseded;
  if (one_more && PendingProposals(head, booking) >= kMaxPendingProposals)
    return ErrorFor(protocol::Reason::kTooManyProposals, "too many proposals are pending");
  if (OpenCardsOf(head).size() >= RoomFor(kind))
    return ErrorFor(protocol::Reason::kTooManyCards, "too many cards are open");
  return protocol::Ok();
}

std::string_view IntentOn(const CardKind& kind, const protocol::Card& target) {
  for (const auto& [type, intent] : kind.applies) {
    if (type == target.type.value) return intent;
  }
  return {};
}

protocol::Status MayCreate(const Standing& standing, const Caller& caller, const CreateCardArgs& args,
                           const CardKind* kind) {
  PARLEY_CHECK_OK(RequirePermission(standing, protocol::Permission::kWrite));
  PARLEY_CHECK_OK(RequireProject(standing.head));
  PARLEY_CHECK_OK(RequireOpen(standing.head));
  PARLEY_CHECK_OK(CheckType(args, kind));
  if (MayOpen(caller, standing, kind) == Permit::kNo)
    return ErrorFor(protocol::Reason::kCardOfOtherSide, "this side may not open such a card");
  return RequireMayWrite(standing, caller, WritingOf(kind ? kind->type : ""));
}

// The step that a card which is an intent makes on the card that it names.
Result<CardStep> StepOnTarget(const CreateCard::Loaded& loaded, const Standing& standing,
                              const Caller& caller, const CardKind& kind, const CheckedPayload& payload,
                              protocol::Time now) {
  const std::string_view intent = loaded.target ? IntentOn(kind, loaded.target->card.item) : "";
  if (intent.empty())
    return ErrorFor(protocol::Reason::kNoDeliverable, "deliverableId names no deliverable of this thread");
  ActRequest request{std::string(intent), payload.version, {}, {}};
  PARLEY_TRY(step, JudgeAct(standing, caller, *loaded.target, request, now));
  if (std::string note = PayloadText(payload.json, "note"); !note.empty()) step.note = std::move(note);
  return std::move(step);
}

void Supersede(const CardWithMessage& other, const MessageId& by, const Caller& caller, CardWriter* writer) {
  CardWithMessage card = other;
  CardStep step;
  step.intent = "counter";
  step.move = {std::string(kSuperseded), CardActor::kCounterpart, nullptr};
  step.doer = DoerOf(caller);
  step.superseded_by = by;
  writer->Take(&card, step);
}

// Answers a repeat with the first answer, without content that staff redacted since. A location is not stored
// with the answer but read from its card, because it must disappear in time.
Result<Decision> Repeat(const CreateCard::Loaded& loaded, const CreateCardArgs& args, protocol::Time now) {
  using Reply = protocol::CardCreate::Reply;
  PARLEY_TRY(answer, AnswerCardRepeat<Reply>(*loaded.earlier, loaded.shared, args));
  Reply reply;
  if (!DecodeStored(answer.reply, &reply)) return Error(ErrorCode::kInternal, "stored data cannot be read");
  if (reply.card.type.value != kShareLocation || IsRedacted(reply.card)) return std::move(answer);
  protocol::Card shown = loaded.shared ? loaded.shared->item : reply.card;
  ShowAsOf(&shown, now);
  reply.card.payload =
      IsFinalState(shown) ? ShownPayload(shown.type.value, shown.payload) : std::move(shown.payload);
  return AnswerOnly(protocol::Encode(reply));
}

}  // namespace

Result<CreateCard::Loaded> CreateCard::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  PARLEY_TRY(standing, tx.StandingOf(caller, args.thread_id));
  Loaded loaded;
  loaded.standing = std::move(standing);
  loaded.ports = tx.policy(caller.tenant).card_ports;
  const RowReader rows = tx.Rows(caller.tenant);
  PARLEY_TRY(earlier, FindEarlier(tx, args.thread_id, caller, args.client_id));
  if (earlier) {
    Op::Reply first;
    if (!DecodeStored(earlier->reply, &first))
      return Error(ErrorCode::kInternal, "stored data cannot be read");
    PARLEY_TRY(row, rows.Card(args.thread_id, first.message_id));
    loaded.shared = std::move(row);
    loaded.earlier = std::move(earlier);
    return loaded;
  }
  const protocol::Time now = tx.moment().now;
  PARLEY_TRY(lapsed, ReadLapsed(rows, loaded.standing.head, now));
  loaded.lapsed = std::move(lapsed);
  PARLEY_TRY(full, IsOutboxFull(tx, caller, args.thread_id));
  loaded.outbox_full = full;
  if (args.reply_to.value) {
    PARLEY_TRY(replied, rows.Message(args.thread_id, *args.reply_to.value));
    loaded.reply_to_exists = replied && MayAnswer(*replied, {});
  }
  PARLEY_TRY(files, LoadCardFiles(rows, args));
  loaded.files = std::move(files);
  const CardKind* kind = FindKind(args.type.value);
  // Disputes and safety reports are free of charge and limits.
  if (!kind || kind->reserve == 0) loaded.paid = tx.Pay(ForSend(caller, loaded.standing.head));
  if (!kind) return loaded;
  if (kind->single) {
    const ThreadRow head = HeadAsOf(loaded.standing.head, now);
    const OpenCard* open = FindOpen(head, kind->type, BookingOf(head.item, args.payload));
    if (open) {
      PARLEY_TRY(card, ReadCard(rows, args.thread_id, open->message_id));
      loaded.superseded = std::move(card);
    }
  }
  if (!kind->applies.empty()) {
    const auto id = MessageId::FromText(PayloadText(args.payload, "deliverableId"));
    if (!id) return loaded;  // the payload's check reports it
    PARLEY_TRY(card, ReadCard(rows, args.thread_id, *id));
    if (card && MaySee(caller, card->card.hidden.only_for)) loaded.target = std::move(card);
  }
  return loaded;
}

Result<Decision> CreateCard::Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                    const SizeLimits&, Moment moment) {
  if (loaded.earlier) return Repeat(loaded, args, moment.now);
  const CardKind* kind = FindKind(args.type.value);
  PARLEY_CHECK_OK(MayCreate(loaded.standing, caller, args, kind));
  PARLEY_CHECK_OK(loaded.paid);
  PARLEY_TRY(payload, CheckPayload(kind, loaded.standing.head.item, args.payload));
  PARLEY_CHECK_OK(CheckOrigins(kind, payload.json, caller));
  PARLEY_CHECK_OK(CheckEnds(args, kind, payload, moment.now));
  if (!loaded.reply_to_exists)
    return ErrorFor(protocol::Reason::kNoReplyTarget, "replyTo names no message of this thread");
  // Disputes and safety reports ignore a full outbox.
  if (!kind || kind->reserve == 0) PARLEY_CHECK_OK(RequireRoomInOutbox(loaded.outbox_full, loaded.standing));

  PARLEY_TRY(shown, WithCardFiles(args.type.value, payload.json, loaded.files, caller));
  payload.json = std::move(shown);

  Draft draft(loaded.standing.head, moment.now);
  CardWriter writer(&draft, loaded.ports, moment.ids);
  writer.Lapse(loaded.lapsed);
  const Standing standing{draft.head(), loaded.standing.me, loaded.standing.barriers};
  PARLEY_CHECK_OK(
      CheckRoom(loaded, standing.head, caller, kind, BookingOf(standing.head.item, payload.json)));
  std::optional<CardStep> on_target;
  if (kind && !kind->applies.empty()) {
    PARLEY_TRY(step, StepOnTarget(loaded, standing, caller, *kind, payload, moment.now));
    on_target = std::move(step);
  }

  protocol::Card card;
  card.type.value = kind ? kind->type : std::string_view(args.type.value);
  card.payload = payload.json;
  card.created_by = *caller.user;
  card.expires_at = payload.until ? payload.until : args.expires_at;
  card.due_at = args.due_at;
  card.allowed_transitions = args.allowed_transitions;
  if (loaded.superseded) card.supersedes = loaded.superseded->card.item.message_id;
  const CardWithMessage opened =
      writer.Open(std::move(card), {args.client_id, args.reply_to.value}, DoerOf(caller));
  MarkShownByCard(caller.tenant, args, loaded.files, opened.card.item.message_id, &draft);
  if (loaded.superseded) Supersede(*loaded.superseded, opened.card.item.message_id, caller, &writer);
  if (on_target) {
    CardWithMessage target = *loaded.target;
    writer.Take(&target, *on_target);
  }
  ParticipantRow me = *standing.me;
  me.hidden.own_no = opened.message.item.msg_no;
  draft.ParticipantPersonal(std::move(me));

  Op::Reply reply;
  reply.message_id = opened.card.item.message_id;
  reply.card = opened.card.item;
  const Standing after{draft.head(), standing.me, standing.barriers};
  reply.card.allowed.value = AllowedFor(caller, after, opened.card, moment.now);
  std::string answer = protocol::Encode(reply);
  reply.card.payload = ShownPayload(reply.card.type.value, reply.card.payload);
  Remember(&draft, caller, args.client_id, DigestOf(args), protocol::Encode(reply));
  return draft.Finish(std::move(answer));
}

}  // namespace parley::threads
