// One event that waits for a tenant's back end: a row of the table `Events`, whether the back end posted it
// or it tells of a change in a thread.
//
// Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounts/records/records.h"
#include "protocol/audit.h"
#include "protocol/events.h"
#include "protocol/field_types.h"

namespace parley::accounts {

enum class EventStatus : uint8_t { kUndelivered, kDelivered };

struct Event {
  std::string event_id;
  std::string type;  // empty: none
  EventStatus status = EventStatus::kUndelivered;
  protocol::Time created_at;
  std::optional<protocol::Time> delivered_at;
  Item payload;
};
struct EventPage {
  std::vector<Event> items;
  std::optional<std::string> next;  // where the next page begins; none: this was the last
  // Nothing could be told: more leases have ended than one look may take. ReturnLeases (inbox.h) is to be
  // decided, and the page asked for again.
  bool again = false;
};
// {eventId, type, status, createdAt, deliveredAt, payload}; without a type, or not delivered: null.
std::string EventToJson(const Event& event);

inline constexpr std::string_view kEventsTable = "Events";
inline constexpr int64_t kUndeliveredKeptMs = int64_t{30} * 24 * 3600 * 1000;  // since it came
inline constexpr int64_t kDeliveredKeptMs = int64_t{7} * 24 * 3600 * 1000;     // since it was acknowledged
inline constexpr size_t kEventTypeBytesMax = 128;

// Visible ASCII without '#', which separates the type from the time in an index. Not empty.
bool IsEventType(std::string_view type);

// 122 random bits as a UUID (version 4).
std::string NewEventId();
// The id of the event that tells of a thread's change: a UUID (version 8) made of what it tells, so that
// telling it again makes no other. It begins with the seq, so that changes of one thread that come in one
// millisecond stay in their order.
// `act`: of an event that tells of an act and takes no seq.
std::string DomainEventId(const protocol::TenantId& tenant, const protocol::ThreadId& thread, int64_t seq,
                          protocol::EventKind kind, const std::optional<protocol::AuditId>& act = {});

// A new row, before it is written.
Item NewEventItem(const protocol::TenantId& tenant, std::string_view event_id, std::string_view type,
                  Item payload, protocol::Time now);
// INTERNAL: it cannot be read.
protocol::Result<Event> EventFromItem(const Item& item);
// Until it is put, the change is the caller's only.
void SetDelivered(Item* item, protocol::Time now);
void SetLeased(Item* item, std::optional<protocol::Time> until);

}  // namespace parley::accounts

template <>
struct parley::protocol::EnumNames<parley::accounts::EventStatus> {
  static constexpr std::string_view kNames[] = {"undelivered", "delivered"};
};
