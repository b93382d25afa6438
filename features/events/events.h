// Puts, reads, lists, acknowledges and deletes events. Delivery of events: inbox.h.
//
// Acknowledging and deleting are decisions on the present row: one never undoes the other, and a repeat
// changes nothing.
//
// Thread contract: records.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "features/events/event.h"

namespace parley::features {

// An event before its decision: the caller makes id and body.
struct NewEvent {
  std::string event_id;
  std::string type;  // may be empty
  storage::Item payload;
};
// Parses the body of a request, any JSON object. `type` (of the query) precedes a text `type` in the body.
// BAD_REQUEST, TOO_LARGE.
protocol::Result<NewEvent> EventFromBody(std::string_view json, const std::optional<std::string>& type);

// Decisions. ALREADY_EXISTS: the id is taken.
protocol::Result<Event> PutEvent(accounts::RecordTransaction& tx, NewEvent event);
// Returns the event as it is now; an event that was acknowledged before keeps its times. NOT_FOUND.
protocol::Result<Event> AckEvent(accounts::RecordTransaction& tx, std::string_view event_id);
inline constexpr size_t kAckTogether = 100;
struct AckResult {
  std::string event_id;
  bool found = false;
};
// Results are in the order of the ids, which may repeat. BAD_REQUEST: too many, or none.
protocol::Result<std::vector<AckResult>> AckEvents(accounts::RecordTransaction& tx,
                                                   const std::vector<std::string>& ids);
protocol::Status DeleteEvent(accounts::RecordTransaction& tx, std::string_view event_id);

protocol::Result<Event> GetEvent(const accounts::RecordReads& reads, std::string_view event_id);

struct EventAsk {
  std::optional<EventStatus> status = {};
  std::optional<std::string> type = {};
  size_t limit = 50;
  std::optional<std::string> after = {};  // `next` of the previous page
};
// With a status or a type: oldest first, and undelivered ones exclude leased ones. Without: all of them,
// newest first. A page may be short although others follow.
protocol::Result<EventPage> ListEvents(const accounts::RecordReads& reads, const EventAsk& ask);

}  // namespace parley::features
