// Events: put, read, listed, acknowledged and deleted. What is undelivered and for whom it waits: inbox.h.
//
// An acknowledgement and a deletion are decisions on the row as it is: one never brings back what the other
// took away, and a repeat changes nothing.
//
// Thread contract: records.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accounts/events/event.h"

namespace parley::accounts {

// Before it is decided: id and body are made by the caller.
struct NewEvent {
  std::string event_id;
  std::string type;  // empty: none
  Item payload;
};
// From the body of a request, any JSON object. `type` (of the query) counts before a text `type` in the body.
// BAD_REQUEST, TOO_LARGE.
protocol::Result<NewEvent> EventFromBody(std::string_view json, const std::optional<std::string>& type);

// Decisions. ALREADY_EXISTS: there is one with this id.
protocol::Result<Event> PutEvent(RecordStage& stage, NewEvent event);
// As it is now; one that was acknowledged before keeps its times. NOT_FOUND.
protocol::Result<Event> AckEvent(RecordStage& stage, std::string_view event_id);
inline constexpr size_t kAckTogether = 100;
struct AckResult {
  std::string event_id;
  bool found = false;
};
// In the order of the ids, of which some may be equal. BAD_REQUEST: too many, or none.
protocol::Result<std::vector<AckResult>> AckEvents(RecordStage& stage, const std::vector<std::string>& ids);
protocol::Status DeleteEvent(RecordStage& stage, std::string_view event_id);

protocol::Result<Event> GetEvent(const RecordReads& reads, std::string_view event_id);

struct EventAsk {
  std::optional<EventStatus> status = {};
  std::optional<std::string> type = {};
  size_t limit = 50;
  std::optional<std::string> after = {};  // `next` of the page before
};
// With a status or a type: oldest first, and what is undelivered without what is leased. Else all of them,
// newest first. A page may be short although others follow.
protocol::Result<EventPage> ListEvents(const RecordReads& reads, const EventAsk& ask);

}  // namespace parley::accounts
