// Declares the list routes of integration events, the inbox among them, and the JSON form of an event.
//
// Thread contract: the host's thread.
#pragma once

#include <optional>
#include <string>

#include "features/events/event_inbox.h"
#include "features/events/events.h"
#include "features/host/pages.h"

namespace parley::features {

using EventTypeText = protocol::Text<kEventTypeBytesMax>;
inline std::optional<std::string> TextOf(const std::optional<EventTypeText>& type) {
  return type ? std::optional(type->value) : std::nullopt;
}

// Describes an event as EventToJson writes it: a payload may contain numbers that frames cannot
// carry.
struct ShownEvent {
  std::string event_id;
  std::optional<std::string> type;
  EventStatus status = EventStatus::kUndelivered;
  protocol::Time created_at;
  std::optional<protocol::Time> delivered_at;
  protocol::Json payload;
  static constexpr void Fields(auto& field) {
    using T = ShownEvent;
    field("eventId", &T::event_id, "its id");
    field("type", &T::type, "the kind of event; null if not given");
    field("status", &T::status, "delivered once it was acknowledged");
    field("createdAt", &T::created_at, "time of arrival");
    field("deliveredAt", &T::delivered_at, "time of the acknowledgement");
    field("payload", &T::payload, "a JSON object, as it was sent");
  }
};
using OneEvent = JsonReply<ShownEvent>;
using EventList = JsonReply<Page<ShownEvent>>;

struct ListEventsArgs : PageArgs {
  std::optional<EventStatus> status;
  std::optional<EventTypeText> type;
  static constexpr void Fields(auto& field) {
    using T = ListEventsArgs;
    field("status", &T::status, "only events of this status; leased events are not among the undelivered");
    field("type", &T::type, "only events of this type");
    field("limit", &T::limit, kLimitAbout);
    field("cursor", &T::cursor, kCursorAbout);
  }
};

void OnListEvents(const Call& call, ListEventsArgs args, Answering<EventList> then);

struct InboxArgs {
  std::optional<protocol::Bounded<1, kInboxMost>> limit;
  std::optional<protocol::Text<2048>> cursor;
  std::optional<protocol::Bounded<1, kLeaseSecondsMost>> lease_seconds;
  static constexpr void Fields(auto& field) {
    using T = InboxArgs;
    field("limit", &T::limit, kLimitAbout);
    field("cursor", &T::cursor, kCursorAbout);
    field("leaseSeconds", &T::lease_seconds,
          "hides the returned events from other readers for this many seconds");
  }
};

void OnReadInbox(const Call& call, InboxArgs args, Answering<EventList> then);

}  // namespace parley::features
