#include "features/events/event.h"

#include <algorithm>

#include "accounts/records/item_fields.h"
#include "features/events/payload.h"
#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "protocol/base/json_text.h"

namespace parley::features {
namespace {

constexpr size_t kIdBytes = 16, kSeqBytes = 6;

int64_t SecondsAfter(protocol::Time now, int64_t ms) {
  return (now.ms + ms + 999) / 1000;
}

void AppendTime(std::string_view name, const std::optional<protocol::Time>& time, std::string* out) {
  *out += ",\"" + std::string(name) + "\":";
  *out += time ? '"' + protocol::FormatTime(*time) + '"' : "null";
}

}  // namespace

std::string EventToJson(const Event& event) {
  std::string out = R"({"eventId":")" + event.event_id + R"(","type":)";
  if (event.type.empty()) {
    out += "null";
  } else {
    protocol::AppendJsonText(event.type, &out);
  }
  out += R"(,"status":")" + std::string(protocol::NameOf(event.status)) + '"';
  AppendTime("createdAt", event.created_at, &out);
  AppendTime("deliveredAt", event.delivered_at, &out);
  out += R"(,"payload":)";
  AppendJson(event.payload, &out);
  return out + '}';
}

bool IsEventType(std::string_view type) {
  return !type.empty() && type.size() <= kEventTypeBytesMax &&
         std::all_of(type.begin(), type.end(), [](char c) { return c > ' ' && c < 0x7f && c != '#'; });
}

std::string NewEventId() {
  return protocol::UuidText(protocol::RandomBytes(kIdBytes), 4);
}

std::string DomainEventId(const protocol::TenantId& tenant, const protocol::ThreadId& thread, int64_t seq,
                          protocol::EventKind kind, const std::optional<protocol::AuditId>& act) {
  std::string bytes;
  for (size_t i = 0; i < kSeqBytes; ++i)
    bytes += static_cast<char>(static_cast<uint64_t>(seq) >> (8 * (kSeqBytes - 1 - i)));
  const std::string name = tenant.ToText() + '/' + thread.ToText() + '/' + std::to_string(seq) + '/' +
                           std::string(protocol::NameOf(kind)) + (act ? '/' + act->ToText() : "");
  return protocol::UuidText(bytes + protocol::Sha256(name).substr(0, kIdBytes - kSeqBytes), 8);
}

storage::Item NewEventItem(const protocol::TenantId& tenant, std::string_view event_id, std::string_view type,
                           storage::Item payload, protocol::Time now) {
  storage::Item item{{"tenant_id", tenant.ToText()},
                     {"event_id", event_id},
                     {"status", protocol::NameOf(EventStatus::kUndelivered)},
                     {"payload", std::move(payload)}};
  accounts::SetInt(&item, "timestamp", now.ms);
  accounts::SetInt(&item, "ttl", SecondsAfter(now, kUndeliveredKeptMs));
  if (!type.empty()) item.Set("event_type", type);
  return item;
}

protocol::Result<Event> EventFromItem(const storage::Item& item) {
  const auto status = protocol::EnumFromName<EventStatus>(accounts::TextOf(item, "status"));
  const auto created = accounts::MillisOf(item, "timestamp");
  const storage::AttributeValue* payload = item.Find("payload");
  const storage::Item* map = payload ? payload->As<storage::Item>() : nullptr;
  if (!status || !created || !map)
    return protocol::Error(protocol::ErrorCode::kInternal, "an event cannot be read");
  return Event{accounts::TextOf(item, "event_id"),
               accounts::TextOf(item, "event_type"),
               *status,
               *created,
               accounts::MillisOf(item, "delivered_at"),
               *map};
}

void SetDelivered(storage::Item* item, protocol::Time now) {
  item->Set("status", protocol::NameOf(EventStatus::kDelivered));
  item->Erase("leased_until");
  accounts::SetInt(item, "delivered_at", now.ms);
  accounts::SetInt(item, "ttl", SecondsAfter(now, kDeliveredKeptMs));
}

void SetLeased(storage::Item* item, std::optional<protocol::Time> until) {
  if (until) {
    accounts::SetInt(item, "leased_until", until->ms);
  } else {
    item->Erase("leased_until");
  }
}

}  // namespace parley::features
