// One event for a tenant's back end: a row of the table `Events`, which the back end posted itself or which
// reports a change in a thread.
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

namespace parley::features {

enum class EventStatus : uint8_t { kUndelivered, kDelivered };

struct Event {
  std::string event_id;
  std::string type;  // may be empty
  EventStatus status = EventStatus::kUndelivered;
  protocol::Time created_at;
  std::optional<protocol::Time> delivered_at;
  storage::Item payload;
};
struct EventPage {
  std::vector<Event> items;
  std::optional<std::string> next;  // the start of the next page; none: this was the last
  // The page is empty because more leases have ended than one read can merge. Decide ReturnLeases (inbox.h),
  // then request the page again.
  bool again = false;
};
// {eventId, type, status, createdAt, deliveredAt, payload}; a missing type or delivery time is null.
std::string EventToJson(const Event& event);

inline constexpr std::string_view kEventsTable = "Events";
inline constexpr int64_t kUndeliveredKeptMs = int64_t{30} * 24 * 3600 * 1000;  // since its creation
inline constexpr int64_t kDeliveredKeptMs = int64_t{7} * 24 * 3600 * 1000;     // since its acknowledgement
inline constexpr size_t kEventTypeBytesMax = 128;

// Visible ASCII without '#', which separates the type from the time in an index. Not empty.
bool IsEventType(std::string_view type);

// 122 random bits as a UUID (version 4).
std::string NewEventId();
// The id of the event that reports a thread's change: a UUID (version 8) derived from the change, so
// that reporting it again makes no second event. It begins with the seq, so that changes of one
// thread within one millisecond stay in order. `act`: for an event that reports an act and has no
// seq.
std::string DomainEventId(const protocol::TenantId& tenant, const protocol::ThreadId& thread, int64_t seq,
                          protocol::EventKind kind, const std::optional<protocol::AuditId>& act = {});

// A new row, before it is written.
storage::Item NewEventItem(const protocol::TenantId& tenant, std::string_view event_id, std::string_view type,
                           storage::Item payload, protocol::Time now);
// INTERNAL: the item cannot be read.
protocol::Result<Event> EventFromItem(const storage::Item& item);
// These change the item only; the caller puts it.
void SetDelivered(storage::Item* item, protocol::Time now);
void SetLeased(storage::Item* item, std::optional<protocol::Time> until);

}  // namespace parley::features

template <>
struct parley::protocol::EnumNames<parley::features::EventStatus> {
  static constexpr std::string_view kNames[] = {"undelivered", "delivered"};
};
