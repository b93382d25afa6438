#include "features/events/event_rows.h"

#include <algorithm>

#include "fanout/relay_place.h"
#include "features/events/payload.h"
#include "features/events/telemetry.h"
#include "protocol/base/varint.h"
#include "protocol/writer.h"
#include "storage/engine/item_keys.h"

namespace parley::features {

using accounts::RecordTransaction;
using storage::AttributeValue;
using storage::Item;

namespace {

void WriteRelayPlace(storage::ItemTransaction& tx, const RelayPlace& place) {
  std::string payload;
  protocol::AppendVarint(&payload, place.position);
  protocol::AppendVarint(&payload, static_cast<uint64_t>(place.last.ms));
  tx.Write(storage::EventRelayRecords(), fanout::RelayPlaceKey(), storage::Row{1, std::move(payload)});
}

bool IsTransient(const protocol::Error& error) {
  return error.code == protocol::ErrorCode::kUnavailable;
}

void AddTelemetry(const std::vector<std::string_view>& names, Item* payload) {
  if (names.empty()) return;
  storage::List list;
  for (const std::string_view name : names) list.push_back(AttributeValue(std::string(name)));
  payload->Set("telemetry", AttributeValue(std::move(list)));
}

std::string IdOf(const threads::ChangeEntry& entry, const threads::SubscribedEvent& event) {
  return DomainEventId(entry.tenant, entry.thread, event.seq, event.kind, event.act.value);
}

class Rows {
 public:
  Rows(storage::ItemTransaction& tx, protocol::Time at) : tx_(tx), at_(at) {}

  // False: the store cannot be read or written now.
  bool Add(const threads::ChangeEntry& entry, const threads::SubscribedEvent& event) {
    RecordTransaction tx(tx_, entry.tenant);
    const std::string id = IdOf(entry, event);
    const auto before = tx.Find(kEventsTable, entry.tenant.ToText(), id);
    if (!before.ok() && IsTransient(before.error())) return false;
    if (before.ok() && *before) return true;
    const bool cut = !PutEventRow(tx, entry, event, at_);
    const auto done = tx.Commit();
    if (!done.ok() && IsTransient(done.error())) return false;
    ++(done.ok() ? outcome.rows : outcome.refused);
    outcome.cut += done.ok() && cut ? 1 : 0;
    return true;
  }

  fanout::RelayOutcome outcome;

 private:
  storage::ItemTransaction& tx_;
  const protocol::Time at_;
};

}  // namespace

storage::Status ReadRelayPlace(const storage::Reader& reader, RelayPlace* out) {
  std::optional<storage::Row> row;
  if (auto status = reader.Get(storage::EventRelayRecords(), fanout::RelayPlaceKey(), &row);
      !status.ok() || !row)
    return status;
  std::string_view rest = row->payload;
  uint64_t last_ms = 0;
  if (!protocol::TakeVarint(&rest, &out->position) || !protocol::TakeVarint(&rest, &last_ms) || !rest.empty())
    return {storage::StatusCode::kCorrupt, "how far events have become rows cannot be read"};
  out->last.ms = static_cast<int64_t>(last_ms);
  return {};
}

fanout::RelayOutcome WriteEventRows(storage::ItemTransaction& tx,
                                    const std::vector<fanout::RelayedEntry>& entries,
                                    storage::Position through) {
  RelayPlace place;
  if (!ReadRelayPlace(tx.reader(), &place).ok()) return {};
  place.last = std::max(place.last, tx.now());
  Rows rows(tx, place.last);
  for (const fanout::RelayedEntry& one : entries) {
    if (one.position <= place.position) continue;
    for (const threads::SubscribedEvent& event : one.entry.subscribed.value->items) {
      if (!rows.Add(one.entry, event)) return {};
    }
  }
  if (through > place.position) {
    place.position = through;
    WriteRelayPlace(tx, place);
  }
  rows.outcome.done = true;
  return rows.outcome;
}

bool PutEventRow(RecordTransaction& tx, const threads::ChangeEntry& entry,
                 const threads::SubscribedEvent& event, protocol::Time at) {
  bool cut = false;
  tx.Put(kEventsTable, "event",
         NewEventItem(entry.tenant, IdOf(entry, event), protocol::NameOf(event.kind),
                      DomainPayload(entry, event, &cut), at));
  return !cut;
}

Item DomainPayload(const threads::ChangeEntry& entry, const threads::SubscribedEvent& event, bool* cut) {
  Item payload{{"type", protocol::NameOf(event.kind)},
               {"tenant", entry.tenant.ToText()},
               {"at", protocol::FormatTime(entry.at.value.value_or(protocol::Time{}))}};
  if (entry.thread != protocol::ThreadId{}) payload.Set("threadId", entry.thread.ToText());
  if (event.file.value) {
    payload.Set("attachmentId", event.file.value->ToText());
    payload.Set("changeId", event.act.value.value_or(protocol::AuditId{}).ToText());
  } else if (event.act.value) {
    payload.Set("auditId", event.act.value->ToText());
  } else {
    payload.Set("seq", AttributeValue::OfInt(event.seq));
  }
  if (event.only_for.value) payload.Set("onlyFor", event.only_for.value->ToText());
  auto item = PayloadFromJson(protocol::MsgpackToJson(event.item.msgpack));
  *cut = !item.ok();
  if (item.ok()) {
    AddTelemetry(TelemetryOf(event.kind, *item), &payload);
    payload.Set("item", *std::move(item));
  } else {
    payload.Set("cut", AttributeValue::OfBool(true));
  }
  return payload;
}

}  // namespace parley::features
