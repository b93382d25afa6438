#include "threads/cards/outbox.h"

#include "protocol/base/reason.h"

namespace parley::threads {

namespace {

constexpr int64_t kOutboxRetryMs = 60'000;

// Parses the effect's seq from its id, messageId.seq.
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

// Reads the row if it still has exactly this id.
Result<std::optional<protocol::OutboxItem>> ReadEffect(const RowReader& rows, const ThreadId& thread,
                                                       int64_t seq, const std::string& effect_id) {
  std::optional<storage::Row> row;
  const auto status = rows.raw().Get(ThreadPartition(rows.tenant(), thread), EffectKey(seq), &row);
  if (!status.ok()) return FromStorage(status);
  if (!row) return std::optional<protocol::OutboxItem>();
  protocol::OutboxItem item;
  if (!DecodeStored(row->payload, &item)) return Error(ErrorCode::kInternal, "stored data cannot be read");
  if (item.effect_id.value != effect_id) return std::optional<protocol::OutboxItem>();
  return std::optional(std::move(item));
}

}  // namespace

Result<AckOutbox::Loaded> AckOutbox::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  PARLEY_TRY(standing, tx.StandingOf(caller, args.thread_id));
  Loaded loaded;
  loaded.standing = std::move(standing);
  const RowReader rows = tx.Rows(caller.tenant);
  for (const auto& id : args.effect_ids.items) {
    const auto seq = SeqOfEffect(id.value);
    if (!seq) return Error::BadField("effectIds", "contains something that is not an effect's id");
    PARLEY_TRY(item, ReadEffect(rows, args.thread_id, *seq, id.value));
    if (item && !item->awaits) loaded.seqs.push_back(*seq);
  }
  return loaded;
}

Result<Decision> AckOutbox::Decide(const Loaded& loaded, const Caller& caller, const Op::Args&,
                                   const SizeLimits&, Moment moment) {
  if (!caller.is_service()) return ErrorFor(protocol::Reason::kOnlyServices, "only a service does this");
  Op::Reply reply;
  reply.acknowledged = static_cast<int64_t>(loaded.seqs.size());
  if (loaded.seqs.empty()) return AnswerOnly(protocol::Encode(reply));
  Draft draft(loaded.standing.head, moment.now);
  for (const int64_t seq : loaded.seqs) draft.EffectDone(seq);
  return draft.Finish(protocol::Encode(reply));
}

Result<bool> IsOutboxFull(Transaction& tx, const Caller& caller, const ThreadId& thread) {
  if (tx.policy(caller.tenant).card_ports == 0) return false;  // the back end serves no ports
  const size_t most = tx.limits().max_waiting_effects;
  size_t waiting = 0;
  const auto status = tx.Rows(caller.tenant)
                          .raw()
                          .Scan(ThreadPartition(caller.tenant, thread), RangeOf(storage::ThreadTag::kEffect),
                                storage::Direction::kForward, most,
                                [&](std::string_view, storage::RowView) { return ++waiting < most; });
  if (!status.ok()) return FromStorage(status);
  return waiting >= most;
}

protocol::Status RequireRoomInOutbox(bool full, const Standing& standing) {
  if (!full || !standing.me) return protocol::Ok();
  Error error =
      ErrorFor(protocol::Reason::kOutboxFull, "too much waits for the tenant's back end in this thread");
  error.retry_after_ms = kOutboxRetryMs;
  return error;
}

}  // namespace parley::threads
