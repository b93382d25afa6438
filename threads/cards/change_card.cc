#include "threads/cards/change_card.h"

#include <algorithm>

#include "protocol/base/ascii.h"
#include "threads/cards/payload.h"
#include "threads/messages/mark_message.h"
#include "threads/model/caller.h"
#include "threads/model/message_acts.h"
#include "threads/model/record_act.h"

namespace parley::threads {
namespace {

std::string_view TitleOf(const protocol::Card& card) {
  const CardKind* kind = FindKind(card.type.value);
  return kind ? kind->title : std::string_view(card.type.value);
}

// REVISION_REQUESTED → revision requested
std::string InWords(std::string_view state) {
  std::string out(state);
  for (char& c : out) c = c == '_' ? ' ' : protocol::LowerOf(c);
  return out;
}

// Prefers the id in the outcome of an outside effect, which may have created the amendment or the document,
// to the payload's.
std::optional<std::string> IdIn(const CardStep& step, const protocol::Json& payload, std::string_view field) {
  for (const protocol::Json* map : {step.data ? &*step.data : nullptr, &payload}) {
    const auto id = map ? protocol::LegId::FromText(PayloadText(*map, field)) : std::nullopt;
    if (id) return id->value;
  }
  return std::nullopt;
}

std::string EffectIdOf(const protocol::Card& card, int64_t seq) {
  return card.message_id.ToText() + "." + std::to_string(seq);
}

// Stores the note of the last intent, if it has one.
void TakeNote(const CardStep& step, protocol::Card* card) {
  card->note.reset();
  if (step.note) card->note = protocol::Text<2000>{*step.note};
}

}  // namespace

CardDoer DoerOf(const Caller& caller, std::optional<std::string> reason) {
  return {caller.user, std::string(protocol::NameOf(caller.role)), std::move(reason)};
}

CardWithMessage CardWriter::Open(protocol::Card card, const Cover& cover, const CardDoer& doer) {
  const CardKind* kind = FindKind(card.type.value);
  card.state.value = FirstState(kind);
  card.version = 1;
  card.created_at = card.updated_at = draft_->now();

  CardWithMessage out;
  protocol::Message message;
  message.type = protocol::MessageType::kAction;
  message.body = TitleOf(card);
  if (!cover.of_case) message.author_user_id = card.created_by;
  message.client_id = cover.client_id;
  message.reply_to = cover.reply_to;
  message.action =
      protocol::MessageAction{card.type, ShownPayload(card.type.value, card.payload), card.state, 1};
  const auto& pins = draft_->head().item.pins;
  const bool pinned = kind && kind->pinned && (!pins || pins->items.size() < protocol::kMaxAllPins);
  if (pinned) message.pin.value = protocol::PinMark{card.created_by, draft_->now()};
  protocol::Omit<UserId> only_for;
  if (kind && kind->confidential) only_for.value = card.created_by;
  out.card.hidden.only_for = out.message.hidden.only_for = only_for;
  if (cover.of_case) out.card.hidden.of_case.value.emplace().value = *cover.of_case;
  out.message.item = draft_->AppendMessage(std::move(message), std::string(TitleOf(card)), ids_, only_for);
  out.message.born_seq = out.message.item.seq;
  if (pinned) AddPin(out.message.item.message_id, protocol::kMaxAllPins, &draft_->head().item);
  card.message_id = out.message.item.message_id;
  out.card.item = std::move(card);
  out.card.item = Changed(out.card);
  out.card.born_seq = out.card.item.seq;
  KeepOpenList(out.card);

  CardStep step;
  step.intent = "open";
  step.doer = doer;
  Record(out.card.item, "opened", step, "", out.card.item.state.value, std::nullopt);
  Notify(out.card.item, kind ? kind->on_open : CardEffect{}, step, "", out.card.item.seq);
  if (kind) NotifyAlso(out.card.item, kind->also_on_open, step, "", out.message.item.seq);
  return out;
}

protocol::Card CardWriter::Changed(CardRow row) {
  row.item.open = IsOpen(row.item);
  return draft_->CardChanged(std::move(row));
}

void CardWriter::Take(CardWithMessage* card, const CardStep& step) {
  if (step.withdraws) return Refuse(card, step.doer, *step.error);
  const bool ask =
      step.move.rule && step.move.rule->effect.gate && Serves(ports_, step.move.rule->effect.port);
  return ask ? Ask(card, step) : Settle(card, step);
}

void CardWriter::Ask(CardWithMessage* card, const CardStep& step) {
  protocol::Card& item = card->card.item;
  card->card.hidden.effect_seq = draft_->last_seq() + 1;
  const std::string effect_id = EffectIdOf(item, card->card.hidden.effect_seq);
  item.awaiting = protocol::CardAwaiting{
      {effect_id}, {std::string(step.move.rule->effect.name)}, {step.intent}, step.doer.user, draft_->now()};
  item.error.reset();
  TakeNote(step, &item);
  item.updated_at = draft_->now();
  item = Changed(card->card);
  KeepOpenList(card->card);
  Record(item, "requested", step, item.state.value, step.move.to, effect_id);
  Notify(item, step.move.rule->effect, step, item.state.value, item.seq);
}

void CardWriter::EndWaiting(CardWithMessage* card) {
  draft_->EffectDone(card->card.hidden.effect_seq);
  card->card.item.awaiting.reset();
  card->card.hidden.effect_seq = 0;
}

void CardWriter::Refuse(CardWithMessage* card, const CardDoer& doer, protocol::CardError error) {
  protocol::Card& item = card->card.item;
  CardStep step;
  step.intent = item.awaiting->intent.value;
  step.doer = doer;
  step.error = error;
  const std::string effect_id = item.awaiting->effect_id.value;
  EndWaiting(card);
  item.error = std::move(error);
  item.updated_at = draft_->now();
  item = Changed(card->card);
  KeepOpenList(card->card);
  Record(item, "refused", step, item.state.value, item.state.value, effect_id);
  Announce(card->card, std::string(TitleOf(item)) + " could not be carried out");
}

void CardWriter::Settle(CardWithMessage* card, const CardStep& step) {
  protocol::Card& item = card->card.item;
  const std::string from = item.state.value;
  const bool was_final = IsFinalState(item);
  item.state.value = step.move.to;
  ++item.version;
  if (!IsRedacted(item)) item.last_intent = protocol::CardWord{step.intent};
  item.updated_at = draft_->now();
  // The card was answered or has lapsed. Escalating it is no answer.
  if (!step.move.rule || !step.move.rule->keeps_end || IsFinalState(item)) item.expires_at.reset();
  item.error = step.error;
  TakeNote(step, &item);
  if (step.payload) item.payload = *step.payload;
  if (step.superseded_by) item.superseded_by = step.superseded_by;
  if (IsFinalState(item)) item.payload = ShownPayload(item.type.value, item.payload);
  if (step.move.rule && step.move.rule->revision) ++card->card.hidden.revisions;
  Save(card);
  const CardEffect effect = step.move.rule ? step.move.rule->effect : CardEffect{};
  Record(item, "transition", step, from, item.state.value, std::nullopt);
  Notify(item, effect.gate ? CardEffect{} : effect, step, from, item.seq);
  const bool outcome = IsFinalState(item) && (!was_final || item.state.value != from);
  if (!outcome || item.state.value == kSuperseded) return;
  Announce(card->card, std::string(TitleOf(item)) + ": " + InWords(item.state.value));
  if (step.move.rule) NotifyLast(item, step.move.rule->also, step, from, draft_->last_seq());
}

namespace {

// The transition that reverts the effect of opening a card of the kind; nullptr if the kind has no such
// transition.
const CardTransition* EndingOf(const CardKind* kind) {
  if (!kind || kind->on_open.port == CardPort::kNone) return nullptr;
  for (const CardTransition& rule : kind->transitions) {
    const bool final = std::find(kind->finals.begin(), kind->finals.end(), rule.to) != kind->finals.end();
    if (final && rule.effect.port == kind->on_open.port && !rule.effect.gate) return &rule;
  }
  return nullptr;
}

}  // namespace

void CardWriter::Empty(CardRow card, const CardDoer& doer) {
  protocol::Card& item = card.item;
  if (IsRedacted(item)) return;
  const CardTransition* ending =
      IsOpen(item) && !item.awaiting ? EndingOf(FindKind(item.type.value)) : nullptr;
  const int64_t of_message = draft_->last_seq();
  protocol::Card shown = item;
  shown.payload = OnlyBooking(item.payload);
  item.last_intent = protocol::CardWord{std::string(kRedactIntent)};
  item.payload = EmptyPayload();
  item.note.reset();
  item.error.reset();
  item.expires_at.reset();
  item.due_at = {};
  if (!item.awaiting) item.allowed_transitions.reset();
  item.updated_at = draft_->now();
  item = Changed(card);
  KeepOpenList(card);
  CardStep step;
  step.intent = kRedactIntent;
  step.doer = doer;
  shown.seq = item.seq;
  Note(AuditOf(shown, "redacted", step, item.state.value, item.state.value), item.seq);
  if (!ending) return;
  if (Serves(ports_, ending->effect.port)) Notify(shown, ending->effect, step, item.state.value, of_message);
  NotifyLast(shown, ending->also, step, item.state.value, item.seq);
}

void CardWriter::NotifyLast(const protocol::Card& card, const CardEffect& effect, const CardStep& step,
                            std::string_view from, int64_t seq) {
  const std::string booking = BookingOf(draft_->head().item, card.payload);
  if (!FindOpen(draft_->head(), card.type.value, booking)) NotifyAlso(card, effect, step, from, seq);
}

void CardWriter::Lapse(std::vector<CardWithMessage> due) {
  for (CardWithMessage& card : due) {
    CardStep step;
    step.intent = "expire";
    step.move = {std::string(kExpired), CardActor::kService, nullptr};
    step.doer.role = "clock";
    Settle(&card, step);
  }
}

void CardWriter::Save(CardWithMessage* card) {
  protocol::Card& item = card->card.item;
  item = Changed(card->card);
  card->message.item.action = protocol::MessageAction{item.type, ShownPayload(item.type.value, item.payload),
                                                      item.state, item.version};
  const CardKind* kind = FindKind(item.type.value);
  const bool unpin = kind && kind->pinned && IsFinalState(item) && card->message.item.pin.value;
  if (unpin) {
    RemovePin(item.message_id, &draft_->head().item);
    card->message.item.pin.value.reset();
    card->message.item = draft_->MessageChanged(card->message);
  } else {
    draft_->MessageFollows(card->message);
  }
  KeepOpenList(card->card);
}

// Writes the effect if the tenant's back end serves its port, or the transition itself if the back end
// follows events.
void CardWriter::Notify(const protocol::Card& item, const CardEffect& effect, const CardStep& step,
                        std::string_view from, int64_t seq) {
  const bool served = Serves(ports_, effect.port);
  if (!served && !Serves(ports_, CardPort::kEvents)) return;
  const protocol::Thread& thread = draft_->head().item;
  protocol::OutboxItem out;
  out.effect_id.value = EffectIdOf(item, seq);
  out.effect.value = served ? effect.name : from.empty() ? "card.opened" : "card.transition";
  out.awaits = served && effect.gate;
  out.thread_id = thread.thread_id;
  out.message_id = item.message_id;
  out.type = item.type;
  out.intent.value = step.intent;
  out.from_state.value = from;
  out.to_state.value = out.awaits ? step.move.to : item.state.value;
  out.version = item.version;
  out.payload = item.payload;
  out.data = step.data;
  out.actor_user_id = step.doer.user;
  out.lbg_id = thread.lbg_id;
  // The leg of the effect: the thread's or, if it has several, the one that the card concerns.
  out.leg_id = thread.leg_id;
  if (!out.leg_id && out.lbg_id) out.leg_id = protocol::LegId::FromText(PayloadText(item.payload, "legId"));
  if (auto doc = IdIn(step, item.payload, "docId")) out.doc_id = protocol::CardWord{*doc};
  if (auto amendment = IdIn(step, item.payload, "amendmentId"))
    out.amendment_id = protocol::CardWord{*amendment};
  out.at = draft_->now();
  draft_->EffectAsked(out, seq);
}

void CardWriter::NotifyAlso(const protocol::Card& card, const CardEffect& effect, const CardStep& step,
                            std::string_view from, int64_t seq) {
  if (Serves(ports_, effect.port)) Notify(card, effect, step, from, seq);
}

namespace {

// Records an act of staff on a card also as an act in the thread.
void RecordStaff(const CardAudit& audit, Draft* draft, protocol::IdSource* ids) {
  Caller by;
  by.user = audit.actor_user_id;
  by.role = protocol::EnumFromName<Role>(*audit.actor_role).value_or(Role::kMember);
  if (!by.is_staff()) return;
  const auto state = [](const std::optional<std::string>& name) {
    return name && !name->empty() ? std::optional(protocol::StatesOf({{"state", *name}})) : std::nullopt;
  };
  RecordAct(draft, by,
            {.action = "card." + audit.what,
             .reason = audit.reason.value_or(""),
             .message_id = audit.message_id,
             .before = state(audit.from_state),
             .after = state(audit.to_state)},
            ids);
}

}  // namespace

CardAudit CardWriter::AuditOf(const protocol::Card& card, const char* what, const CardStep& step,
                              std::string_view from, std::string_view to) const {
  const CardKind* kind = FindKind(card.type.value);
  const protocol::Thread& thread = draft_->head().item;
  CardAudit audit;
  audit.what = what;
  audit.message_id = card.message_id;
  audit.type = card.type.value;
  audit.category = kind ? kind->category : "custom";
  audit.intent = step.intent;
  audit.from_state = from;
  audit.to_state = to;
  audit.version = card.version;
  audit.actor_user_id = step.doer.user;
  audit.actor_role = step.doer.role;
  audit.reason = step.doer.reason;
  audit.note = step.note;
  audit.data = step.data;
  audit.error = step.error;
  audit.lbg_id = thread.lbg_id;
  audit.leg_id =
      thread.leg_id ? thread.leg_id : protocol::LegId::FromText(PayloadText(card.payload, "legId"));
  audit.doc_id = IdIn(step, card.payload, "docId");
  audit.amendment_id = IdIn(step, card.payload, "amendmentId");
  audit.at = draft_->now();
  return audit;
}

void CardWriter::Note(const CardAudit& audit, int64_t seq) {
  draft_->Write(CardAuditKey(seq), protocol::Encode(audit));
}

void CardWriter::Record(const protocol::Card& card, const char* what, const CardStep& step,
                        std::string_view from, std::string_view to, std::optional<std::string> effect_id) {
  CardAudit audit = AuditOf(card, what, step, from, to);
  audit.effect_id = std::move(effect_id);
  Note(audit, card.seq);
  RecordStaff(audit, draft_, ids_);
}

void CardWriter::KeepOpenList(const CardRow& row) {
  const protocol::Card& card = row.item;
  ThreadRow& head = draft_->head();
  std::vector<OpenCard> list = OpenCardsOf(head);
  std::erase_if(list, [&](const OpenCard& one) { return one.message_id == card.message_id; });
  if (IsOpen(card)) {
    OpenCard open;
    open.message_id = card.message_id;
    open.type = card.type;
    open.state = card.state;
    open.created_by = card.created_by;
    open.awaiting = card.awaiting.has_value();
    open.only_for = row.hidden.only_for;
    if (row.hidden.of_case.value) open.of_case.value = true;
    if (!open.awaiting) open.due = EndOf(card);
    if (std::string booking = BookingOf(head.item, card.payload); !booking.empty())
      open.booking.value = protocol::Text<64>{std::move(booking)};
    const auto place =
        std::upper_bound(list.begin(), list.end(), open,
                         [](const OpenCard& a, const OpenCard& b) { return a.message_id < b.message_id; });
    list.insert(place, std::move(open));
  }
  if (card.type.value != kSafety) head.hidden.card_seq.value = card.seq;
  head.hidden.open_cards.value.reset();
  if (!list.empty()) head.hidden.open_cards.value.emplace().items = std::move(list);
  const OpenCard* dispute = FindOpen(head, kDispute);
  head.item.dispute_message_id = dispute ? std::optional(dispute->message_id) : std::nullopt;
}

void CardWriter::Announce(const CardRow& card, const std::string& text) {
  protocol::Message message;
  message.type = protocol::MessageType::kSystem;
  message.body = text;
  message.reply_to = card.item.message_id;
  draft_->AppendMessage(std::move(message), text, ids_, card.hidden.only_for);
}

}  // namespace parley::threads
