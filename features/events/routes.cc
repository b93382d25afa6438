// Routes of integration events, which wait for a tenant's back end.
#include "features/events/events.h"
#include "features/events/feature.h"
#include "features/events/list_routes.h"
#include "features/events/payload.h"
#include "features/host/once.h"
#include "features/host/records.h"

namespace parley::features {

enum class AckOutcome : uint8_t { kDelivered, kNotFound };

}  // namespace parley::features

template <>
struct parley::protocol::EnumNames<parley::features::AckOutcome> {
  static constexpr std::string_view kNames[] = {"delivered", "not_found"};
};

namespace parley::features {
namespace {

using accounts::RecordReads;
using accounts::RecordTransaction;

OneEvent Shown(const Event& event) {
  return {EventToJson(event)};
}

// --- posting

struct EventBody {
  std::string json;
};
const char* Read(const protocol::Value& value, EventBody* out) {
  const std::string_view* text = value.as_text();
  if (!text || !IsJsonObject(*text)) return "must be a JSON object";
  out->json = *text;
  return nullptr;
}

struct PostArgs {
  EventBody event;
  std::optional<EventTypeText> type;
  static constexpr void Fields(auto& field) {
    field("event", &PostArgs::event, "any JSON object");
    field("type", &PostArgs::type, "the kind of event; the object's own `type` if not given");
  }
};
struct PostedEvent {
  std::string event_id;
  protocol::Time created_at;
  EventStatus status = EventStatus::kUndelivered;
  static constexpr void Fields(auto& field) {
    using T = PostedEvent;
    field("eventId", &T::event_id, "its id");
    field("createdAt", &T::created_at, "time of arrival");
    field("status", &T::status, "");
  }
};

void OnPostEvent(const Call& call, PostArgs args, Answering<PostedEvent> then) {
  auto made = EventFromBody(args.event.json, TextOf(args.type));
  if (!made.ok()) return then(std::move(made.error()));
  DecideOnce<PostedEvent>(
      call, call.tenant(),
      [made = *std::move(made)](RecordTransaction& tx) -> protocol::Result<PostedEvent> {
        PARLEY_TRY(event, PutEvent(tx, made));
        return PostedEvent{event.event_id, event.created_at, event.status};
      },
      [](PostedEvent reply) { return reply; }, std::move(then));
}

// --- single events, and acknowledging several

using EventIdText = protocol::Text<64>;

struct EventArgs {
  EventIdText event_id;
  static constexpr void Fields(auto& field) { field("eventId", &EventArgs::event_id, "the event"); }
};

Answering<Event> AsShown(Answering<OneEvent> then) {
  return [then = std::move(then)](const protocol::Result<Event>& event) {
    if (!event.ok()) return then(event.error());
    then(Shown(*event));
  };
}

void OnGetEvent(const Call& call, EventArgs args, Answering<OneEvent> then) {
  ReadRecords<Event>(
      call.host, call.host.road(call.tenant()), call.tenant(),
      [id = args.event_id.value](const RecordReads& reads) { return GetEvent(reads, id); },
      AsShown(std::move(then)));
}

void OnAckEvent(const Call& call, EventArgs args, Answering<OneEvent> then) {
  DecideRecords<Event>(
      call.host, call.tenant(),
      [id = args.event_id.value](RecordTransaction& tx) { return AckEvent(tx, id); },
      AsShown(std::move(then)));
}

void OnDeleteEvent(const Call& call, EventArgs args, Answering<NoContent> then) {
  DecideRecords<NoContent>(
      call.host, call.tenant(),
      [id = args.event_id.value](RecordTransaction& tx) -> protocol::Result<NoContent> {
        PARLEY_CHECK_OK(DeleteEvent(tx, id));
        return NoContent{};
      },
      std::move(then));
}

struct AckManyArgs {
  protocol::List<EventIdText, kAckTogether> event_ids;
  static constexpr void Fields(auto& field) {
    field("eventIds", &AckManyArgs::event_ids, "from one to a hundred");
  }
};
struct AckLine {
  std::string event_id;
  AckOutcome status = AckOutcome::kNotFound;
  static constexpr void Fields(auto& field) {
    field("eventId", &AckLine::event_id, "");
    field("status", &AckLine::status, "its status now");
  }
};
struct AckReply {
  protocol::List<AckLine, kAckTogether> results;
  static constexpr void Fields(auto& field) {
    field("results", &AckReply::results, "in the order of the ids");
  }
};

void OnAckEvents(const Call& call, AckManyArgs args, Answering<AckReply> then) {
  std::vector<std::string> ids;
  for (EventIdText& id : args.event_ids.items) ids.push_back(std::move(id.value));
  DecideRecords<AckReply>(
      call.host, call.tenant(),
      [ids = std::move(ids)](RecordTransaction& tx) -> protocol::Result<AckReply> {
        PARLEY_TRY(acked, AckEvents(tx, ids));
        AckReply reply;
        for (const AckResult& one : acked)
          reply.results.items.push_back(
              {one.event_id, one.found ? AckOutcome::kDelivered : AckOutcome::kNotFound});
        return reply;
      },
      std::move(then));
}

}  // namespace

std::vector<HttpRoute> EventRoutes() {
  using enum Method;
  const char* const kEvents = "/v1/events";
  const char* const kEvent = "/v1/events/{eventId}";
  constexpr HttpRoute::Traits kWhole{.body_field = "event", .body_bytes_max = kPayloadBytesMax};
  return {
      RouteTo<PostArgs, PostedEvent, OnPostEvent>(kPost, kEvents, "postEvent", kBackEnd, 201,
                                                  "Posts an event, which waits until it is acknowledged.",
                                                  kWhole),
      RouteTo<ListEventsArgs, EventList, OnListEvents>(
          kGet, kEvents, "listEvents", kBackEnd, 200,
          "Lists events: with a status or type the oldest first, otherwise the newest first."),
      RouteTo<InboxArgs, EventList, OnReadInbox>(
          kGet, "/v1/inbox", "readInbox", kBackEnd, 200,
          "Lists events that were not acknowledged, the oldest first."),
      RouteTo<EventArgs, OneEvent, OnGetEvent>(kGet, kEvent, "getEvent", kBackEnd, 200, "Returns an event."),
      RouteTo<EventArgs, NoContent, OnDeleteEvent>(kDelete, kEvent, "deleteEvent", kBackEnd, 204,
                                                   "Deletes an event, acknowledged or not."),
      RouteTo<EventArgs, OneEvent, OnAckEvent>(kPost, "/v1/events/{eventId}/ack", "ackEvent", kBackEnd, 200,
                                               "Acknowledges an event; a repeat changes nothing."),
      RouteTo<AckManyArgs, AckReply, OnAckEvents>(kPost, "/v1/events/ack", "ackEvents", kBackEnd, 200,
                                                  "Acknowledges several events, with a result for each."),
  };
}

}  // namespace parley::features
