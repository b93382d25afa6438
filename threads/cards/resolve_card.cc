// What comes back from the outside: card.resolve and outbox.ack; and what the clock does: LapseCards.
#include "threads/cards/commands.h"
#include "threads/commands.h"
#include "threads/idempotency.h"

namespace parley::threads {
namespace {

constexpr std::string_view kConflictCode = "ACTION_CONFLICT";
constexpr std::string_view kFailedCode = "FAILED";
constexpr int64_t kOutboxRetryMs = 60'000;

protocol::CardError ErrorOf(const protocol::CardResolve::Args& args) {
  protocol::CardError error = args.error.value_or(protocol::CardError{});
  if (args.outcome == protocol::EffectOutcome::kConflict) {
    error.code.value = kConflictCode;
  } else if (error.code.value.empty()) {
    error.code.value = kFailedCode;
  }
  return error;
}

// The effect's seq from its id: messageId.seq
std::optional<int64_t> SeqOfEffect(const std::string& effect_id) {
  const size_t dot = effect_id.rfind('.');
  if (dot == std::string::npos || effect_id.size() - dot > 17) return std::nullopt;
  int64_t seq = 0;
  for (const char c : effect_id.substr(dot + 1)) {
    if (c < '0' || c > '9') return std::nullopt;
    seq = seq * 10 + (c - '0');
  }
  return seq;
}

protocol::Status RequireService(const Caller& caller) {
  if (caller.is_service()) return protocol::Ok();
  return Error(ErrorCode::kForbidden, "only a service does this");
}

// The row, as long as it is there under this very id.
Result<std::optional<protocol::OutboxItem>> ReadEffect(const RowReader& rows, const ThreadId& thread,
                                                       int64_t seq, const std::string& effect_id) {
  std::optional<storage::Row> row;
  const auto status = rows.raw().Get(ThreadPartition(rows.tenant(), thread), EffectKey(seq), &row);
  if (!status.ok()) return FromStorage(status);
  if (!row) return std::optional<protocol::OutboxItem>();
  protocol::OutboxItem item;
  if (!DecodeStored(row->payload, &item)) return Error(ErrorCode::kInternal, "stored data can not be read");
  if (item.effect_id.value != effect_id) return std::optional<protocol::OutboxItem>();
  return std::optional(std::move(item));
}

}  // namespace

Result<CardLoaded> ResolveCard::Load(Stage& stage, const Caller& caller, const Op::Args& args) {
  return LoadCard(stage, caller, args.thread_id, args.message_id, args.client_id);
}

Result<Decision> ResolveCard::Decide(const CardLoaded& loaded, const Caller& caller, const Op::Args& args,
                                     const Limits&, Moment moment) {
  if (loaded.earlier) return AnswerRepeat<Op::Reply>(*loaded.earlier, args);
  PARLEY_CHECK_OK(RequireService(caller));
  if (!loaded.card) return Error(ErrorCode::kNotFound, "no such card in this thread");
  if (args.data) PARLEY_CHECK_OK(CheckOpenData("data", *args.data));
  CardWithMessage card = *loaded.card;
  const auto& awaiting = card.card.item.awaiting;
  if (!awaiting || awaiting->effect_id.value != args.effect_id.value) {
    Error error(ErrorCode::kActionInvalidState, "the card does not wait for this effect");
    error.current = Wire(card.card.item);
    return error;
  }
  // Whatever the thread has become meanwhile, locked say: the outside has acted, so it is written down.
  Draft draft(loaded.standing.head, moment.now);
  CardWriter writer(&draft, loaded.ports, moment.ids);
  CardStep step;
  step.doer = {awaiting->by, "service", std::nullopt};
  step.data = args.data;
  if (card.card.item.note) step.note = card.card.item.note->value;  // what was said with the intent
  const bool done = args.outcome == protocol::EffectOutcome::kOk;
  step.intent = done ? awaiting->intent.value : "fail";
  auto move = FindMove(card.card.item, step.intent);
  if (done && !move) return Error(ErrorCode::kInternal, "stored data can not be read");
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
  const Standing standing{HeadAsOf(draft.head(), moment.now), loaded.standing.me,
                          loaded.standing.pair_reported};
  reply.card.allowed.value = AllowedFor(caller, standing, card.card, moment.now);
  const std::string encoded = protocol::Encode(reply);
  Remember(&draft, caller, args.client_id, DigestOf(args), encoded);
  return draft.Finish(encoded);
}

Result<AckOutbox::Loaded> AckOutbox::Load(Stage& stage, const Caller& caller, const Op::Args& args) {
  PARLEY_TRY(standing, stage.StandingOf(caller, args.thread_id));
  Loaded loaded;
  loaded.standing = std::move(standing);
  const RowReader rows = stage.Rows(caller.tenant);
  for (const auto& id : args.effect_ids.items) {
    const auto seq = SeqOfEffect(id.value);
    if (!seq) return Error::BadField("effectIds", "holds what is no effect's id");
    PARLEY_TRY(item, ReadEffect(rows, args.thread_id, *seq, id.value));
    if (item && !item->awaits) loaded.seqs.push_back(*seq);
  }
  return loaded;
}

Result<Decision> AckOutbox::Decide(const Loaded& loaded, const Caller& caller, const Op::Args&, const Limits&,
                                   Moment moment) {
  PARLEY_CHECK_OK(RequireService(caller));
  Op::Reply reply;
  reply.acknowledged = static_cast<int64_t>(loaded.seqs.size());
  if (loaded.seqs.empty()) return AnswerOnly(protocol::Encode(reply));
  Draft draft(loaded.standing.head, moment.now);
  for (const int64_t seq : loaded.seqs) draft.EffectDone(seq);
  return draft.Finish(protocol::Encode(reply));
}

Result<bool> IsOutboxFull(Stage& stage, const Caller& caller, const ThreadId& thread) {
  if (stage.policy(caller.tenant).card_ports == 0) return false;  // nothing is asked of anybody
  const size_t most = stage.limits().max_waiting_effects;
  size_t waiting = 0;
  const auto status = stage.Rows(caller.tenant)
                          .raw()
                          .Scan(ThreadPartition(caller.tenant, thread), RangeOf(storage::ThreadTag::kEffect),
                                storage::Direction::kForward, most,
                                [&](std::string_view, storage::RowView) { return ++waiting < most; });
  if (!status.ok()) return FromStorage(status);
  return waiting >= most;
}

protocol::Status RequireRoomInOutbox(bool full, const Standing& standing) {
  if (!full || !standing.me) return protocol::Ok();
  Error error(ErrorCode::kUnavailable, "too much waits for the tenant's back end in this thread");
  error.retry_after_ms = kOutboxRetryMs;
  return error;
}

Result<Decision> LapseCards(Stage& stage, const TenantId& tenant, const ThreadId& thread) {
  PARLEY_TRY(head, stage.Thread(tenant, thread));
  const Moment moment = stage.moment();
  if (!head) return AnswerOnly({});
  const auto next = NextDue(*head);
  if (!next || *next > moment.now) return AnswerOnly({});
  PARLEY_TRY(due, ReadLapsed(stage.Rows(tenant), *head, moment.now));
  Draft draft(*head, moment.now);
  CardWriter(&draft, stage.policy(tenant).card_ports, moment.ids).Lapse(std::move(due));
  return draft.Finish({});
}

Result<std::vector<CardWithMessage>> ReadLapsed(const RowReader& rows, const ThreadRow& head,
                                                protocol::Time now) {
  std::vector<CardWithMessage> out;
  for (const OpenCard& one : OpenCardsOf(head)) {
    if (!IsDue(one, now)) continue;
    PARLEY_TRY(card, ReadCard(rows, head.item.thread_id, one.message_id));
    if (!card) return Error(ErrorCode::kInternal, "stored data can not be read");
    out.push_back(std::move(*card));
  }
  return out;
}

}  // namespace parley::threads
