#include "features/events/event_pages.h"

#include <charconv>

#include "accounts/records/item_fields.h"

namespace parley::features {
namespace {

constexpr size_t kTimeDigits = 13, kUuidTextBytes = 36;

}  // namespace

EventPlace PlaceOf(const storage::Item& item) {
  return {accounts::IntOf(item, "timestamp").value_or(0), accounts::TextOf(item, "event_id")};
}

std::string Padded(int64_t ms) {
  const std::string digits = std::to_string(ms);
  return std::string(digits.size() < kTimeDigits ? kTimeDigits - digits.size() : 0, '0') + digits;
}

std::string CursorOf(const EventPlace& place) {
  return Padded(place.ms) + place.event_id;
}

protocol::Result<EventPlace> ParseEventPlace(std::string_view text) {
  EventPlace out;
  const char* const end = text.data() + std::min(kTimeDigits, text.size());
  const auto [stop, error] = std::from_chars(text.data(), end, out.ms);
  if (text.size() != kTimeDigits + kUuidTextBytes || error != std::errc() || stop != end || out.ms < 0)
    return protocol::Error::BadField("cursor", "is not a cursor of this query");
  out.event_id = text.substr(kTimeDigits);
  return out;
}

storage::Item BehindPlace(const protocol::TenantId& tenant, std::string_view range, std::string value,
                          const EventPlace& place) {
  storage::Item key{{"tenant_id", tenant.ToText()}, {"pk", tenant.ToText()}, {"sk", place.event_id}};
  key.Set(range, std::move(value));
  return key;
}

EventRange Merge(EventRange a, EventRange b, size_t limit, bool forward) {
  EventRange out;
  size_t i = 0, j = 0;
  while (out.items.size() < limit) {
    const bool a_ended = i == a.items.size(), b_ended = j == b.items.size();
    // If a range was not read to its end, its unread entries may precede the other's next one.
    if ((a_ended && a.more) || (b_ended && b.more) || (a_ended && b_ended)) break;
    const bool from_a = b_ended || (!a_ended && (PlaceOf(a.items[i]) < PlaceOf(b.items[j])) == forward);
    out.items.push_back(std::move(from_a ? a.items[i++] : b.items[j++]));
  }
  out.more = a.more || b.more || i < a.items.size() || j < b.items.size();
  return out;
}

protocol::Result<EventPage> PageOf(const EventRange& range) {
  EventPage out;
  for (const storage::Item& item : range.items) {
    PARLEY_TRY(event, EventFromItem(item));
    out.items.push_back(std::move(event));
  }
  if (range.more && !range.items.empty()) out.next = CursorOf(PlaceOf(range.items.back()));
  return out;
}

}  // namespace parley::features
