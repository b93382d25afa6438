#include "threads/staff/redact.h"

#include <utility>

#include "protocol/audit.h"
#include "threads/messages/change_message.h"
#include "threads/messages/mark_message.h"
#include "threads/policy/policy_rows.h"

namespace parley::threads {

using protocol::Message;
using protocol::Moderation;

namespace {

bool SaysSomething(const Message& message) {
  return (!message.body.empty() && message.body != kRedactedBody) || !message.attachments.items.empty();
}

// Of everything that was there, whether withheld or not.
std::string HashOf(const MessageRow& row) {
  protocol::Message said;
  said.body = row.item.body;
  said.attachments = row.item.attachments;
  if (row.hidden.withheld.value) {
    said.body = row.hidden.withheld.value->body;
    said.attachments = row.hidden.withheld.value->attachments;
  }
  // A text alone is named by its own hash, so that whoever has the text can prove it.
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
  row->hidden.withheld = {};
}

}  // namespace

Result<std::vector<storage::RowWrite>> EmptiedHistory(const RowReader& rows, const ThreadId& thread,
                                                      const MessageId& message) {
  std::vector<storage::RowWrite> out;
  bool sound = true;
  const auto status = rows.raw().Scan(
      ThreadPartition(rows.tenant(), thread), HistoryOf(message), storage::Direction::kForward, SIZE_MAX,
      [&](std::string_view sort, storage::RowView row) {
        HistoryRow was;
        sound = DecodeStored(row.payload, &was);
        if (!sound || !SaysSomething(was.before)) return sound;
        was.before.body = kRedactedBody;
        was.before.attachments.items.clear();
        was.before.flags.moderation = Moderation::kRedacted;
        out.push_back({storage::SortKey(std::string(sort)), storage::Row{1, protocol::Encode(was)}});
        return true;
      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data cannot be read");
  const auto gathered = rows.raw().Scan(ThreadPartition(rows.tenant(), thread), OriginalsOf(message),
                                        storage::Direction::kForward, SIZE_MAX,
                                        [&](std::string_view sort, storage::RowView) {
                                          out.push_back({storage::SortKey(std::string(sort)), std::nullopt});
                                          return true;
                                        });
  if (!gathered.ok()) return FromStorage(gathered);
  return out;
}

std::string SetModeration(Moderation moderation, MessageRow* row) {
  Moderation& now = row->item.flags.moderation;
  if (now == Moderation::kRedacted) return {};
  std::string hash;
  switch (moderation) {
    case Moderation::kClean:
    case Moderation::kFlagged:
      GiveBack(row);
      now = Moderation::kClean;  // that it is flagged is shown to staff only
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

Message ContentChanged(MessageRow row, std::vector<storage::RowWrite> emptied, Draft* draft) {
  if (row.item.flags.moderation == Moderation::kRedacted && row.item.pin.value) {
    row.item.pin.value.reset();
    RemovePin(row.item.message_id, &draft->head().item);
  }
  const Message message = draft->MessageChanged(std::move(row));
  for (storage::RowWrite& write : emptied) {
    if (!write.row) {
      draft->Erase(std::move(write.sort));
    } else {
      draft->Write(std::move(write.sort), std::move(write.row->payload));
    }
  }
  RefreshPreview(draft, message);
  return message;
}

}  // namespace parley::threads
