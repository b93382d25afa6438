#include "threads/staff/redact.h"

#include <utility>

#include "protocol/audit.h"
#include "protocol/canonical.h"
#include "protocol/writer.h"
#include "threads/judge/judge_rows.h"
#include "threads/messages/change_message.h"
#include "threads/messages/mark_message.h"
#include "threads/model/message_acts.h"

namespace parley::threads {

using protocol::Message;
using protocol::Moderation;

namespace {

bool SaysSomething(const Message& message) {
  return (!message.body.empty() && message.body != kRedactedBody) || !message.attachments.items.empty() ||
         (message.action && message.action->payload.msgpack != EmptyPayload().msgpack);
}

// RFC 8785.
std::string CanonicalJson(const protocol::Json& payload) {
  protocol::Writer w;
  protocol::PutCanonical(w, payload);
  return protocol::MsgpackToJson(w.bytes());
}

// Hashes the whole content, whether withheld or not.
std::string HashOf(const MessageRow& row) {
  protocol::Message said;
  said.body = row.item.body;
  said.attachments = row.item.attachments;
  if (row.hidden.withheld.value) {
    said.body = row.hidden.withheld.value->body;
    said.attachments = row.hidden.withheld.value->attachments;
  }
  // The hash of a text or a card alone is that of its bytes, so that anyone who has them can prove it.
  if (row.item.action) return protocol::AuditHash(CanonicalJson(row.item.action->payload));
  if (said.attachments.items.empty()) return protocol::AuditHash(said.body);
  return protocol::AuditHash(protocol::Encode(said));
}

void Withhold(MessageRow* row) {
  if (row->hidden.withheld.value || row->item.deleted_at) return;
  row->hidden.withheld.value =
      Withheld{std::exchange(row->item.body, std::string(kBlockedBody)), row->item.attachments};
  row->item.attachments.items.clear();
}

void GiveBack(MessageRow* row) {
  if (!row->hidden.withheld.value) return;
  row->item.body = std::move(row->hidden.withheld.value->body);
  row->item.attachments = std::move(row->hidden.withheld.value->attachments);
  row->hidden.withheld = {};
}

void Erase(MessageRow* row) {
  if (!row->item.deleted_at) row->item.body = kRedactedBody;
  row->item.attachments.items.clear();
  row->item.flags.policy_hints.items.clear();
  if (row->item.action) row->item.action->payload = EmptyPayload();
  row->hidden.withheld = {};
}

}  // namespace

namespace {

// The row without its content; nullopt if it had none.
std::optional<std::string> Emptied(HistoryRow was) {
  if (!SaysSomething(was.before)) return std::nullopt;
  was.before.body = kRedactedBody;
  was.before.attachments.items.clear();
  was.before.flags.moderation = Moderation::kRedacted;
  if (was.before.action) was.before.action->payload = EmptyPayload();
  return protocol::Encode(was);
}

std::optional<std::string> Emptied(CardAudit was, const MessageId& card) {
  if (was.message_id != card || !(was.note || was.data || was.error)) return std::nullopt;
  was.note.reset();
  was.data.reset();
  was.error.reset();
  return protocol::Encode(was);
}

class Emptier {
 public:
  Emptier(const RowReader& rows, const ThreadId& thread, std::vector<storage::RowWrite>* out)
      : rows_(rows), partition_(ThreadPartition(rows.tenant(), thread)), out_(out) {}

  // Writes each row of the range that `make` changes.
  template <class Row>
  protocol::Status Rewrite(const storage::SortRange& range, const auto& make) {
    bool sound = true;
    const auto status = rows_.raw().Scan(partition_, range, storage::Direction::kForward, SIZE_MAX,
                                         [&](std::string_view sort, storage::RowView row) {
                                           Row was;
                                           sound = DecodeStored(row.payload, &was);
                                           auto emptied = sound ? make(std::move(was)) : std::nullopt;
                                           if (emptied) Put(sort, storage::Row{1, *std::move(emptied)});
                                           return sound;
                                         });
    if (!status.ok()) return FromStorage(status);
    if (!sound) return Error(ErrorCode::kInternal, "stored data cannot be read");
    return protocol::Ok();
  }
  protocol::Status Remove(const storage::SortRange& range) {
    const auto status = rows_.raw().Scan(partition_, range, storage::Direction::kForward, SIZE_MAX,
                                         [&](std::string_view sort, storage::RowView) {
                                           Put(sort, std::nullopt);
                                           return true;
                                         });
    return status.ok() ? protocol::Ok() : protocol::Status(FromStorage(status));
  }

 private:
  void Put(std::string_view sort, std::optional<storage::Row> row) {
    out_->push_back({storage::SortKey(std::string(sort)), std::move(row)});
  }

  const RowReader& rows_;
  const storage::PartitionKey partition_;
  std::vector<storage::RowWrite>* const out_;
};

}  // namespace

Result<Kept> FindKept(const RowReader& rows, const ThreadId& thread, const MessageId& message) {
  Kept kept;
  Emptier emptier(rows, thread, &kept.emptied);
  PARLEY_CHECK_OK(emptier.Rewrite<HistoryRow>(HistoryOf(message),
                                              [](HistoryRow was) { return Emptied(std::move(was)); }));
  PARLEY_CHECK_OK(emptier.Remove(OriginalsOf(message)));
  PARLEY_TRY(card, rows.Card(thread, message));
  if (!card) return kept;
  // The card's records are between those of other cards that changed in its lifetime.
  const storage::SortRange its_time{CardAuditKey(card->born_seq), CardAuditKey(card->item.seq + 1)};
  PARLEY_CHECK_OK(emptier.Rewrite<CardAudit>(
      its_time, [&message](CardAudit was) { return Emptied(std::move(was), message); }));
  kept.card = std::move(card);
  return kept;
}

std::string SetModeration(Moderation moderation, MessageRow* row) {
  Moderation& now = row->item.flags.moderation;
  if (now == Moderation::kRedacted) return {};
  std::string hash;
  switch (moderation) {
    case Moderation::kClean:
    case Moderation::kFlagged:
      GiveBack(row);
      now = Moderation::kClean;  // only staff see the flag
      break;
    case Moderation::kBlocked:
      Withhold(row);
      now = Moderation::kBlocked;
      break;
    case Moderation::kRedacted:
      hash = HashOf(*row);
      Erase(row);
      now = Moderation::kRedacted;
  }
  row->hidden.flagged = {};
  if (moderation == Moderation::kFlagged) row->hidden.flagged.value = true;
  return hash;
}

Message ContentChanged(MessageRow row, Kept kept, const CardDoer& doer, CardWriter* cards, Draft* draft) {
  if (row.item.flags.moderation == Moderation::kRedacted && row.item.pin.value) {
    row.item.pin.value.reset();
    RemovePin(row.item.message_id, &draft->head().item);
  }
  const Message message = draft->MessageChanged(std::move(row));
  for (storage::RowWrite& write : kept.emptied) {
    if (!write.row) {
      draft->Erase(std::move(write.sort));
    } else {
      draft->Write(std::move(write.sort), std::move(write.row->payload));
    }
  }
  if (kept.card) cards->Empty(*std::move(kept.card), doer);
  RefreshPreview(draft, message);
  return message;
}

}  // namespace parley::threads
