// Integration events: what waits for a tenant's back end (http.md §5).
#include "accounts/events/events.h"

#include <nlohmann/json.hpp>

#include "accounts/events/inbox.h"
#include "accounts/events/payload.h"
#include "gateway/http/once.h"
#include "gateway/http/pages.h"
#include "gateway/records.h"

namespace parley::gateway {

enum class AckOutcome : uint8_t { kDelivered, kNotFound };

}  // namespace parley::gateway

template <>
struct parley::protocol::EnumNames<parley::gateway::AckOutcome> {
  static constexpr std::string_view kNames[] = {"delivered", "not_found"};
};

namespace parley::gateway {
namespace {

using accounts::Event;
using accounts::EventPage;
using accounts::EventStatus;
using accounts::RecordReads;
using accounts::RecordStage;
using protocol::Error;
using protocol::ErrorCode;

// As accounts::EventToJson writes it: a payload may hold numbers that frames cannot.
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
    field("type", &T::type, "what happened; null: not said");
    field("status", &T::status, "whether it was acknowledged");
    field("createdAt", &T::created_at, "when it came");
    field("deliveredAt", &T::delivered_at, "when it was acknowledged");
    field("payload", &T::payload, "a JSON object, as it was sent");
  }
};
using OneEvent = JsonReply<ShownEvent>;
using EventList = JsonReply<Page<ShownEvent>>;

OneEvent Shown(const Event& event) {
  return {accounts::EventToJson(event)};
}

EventList Shown(const Call& call, const std::string& list, const EventPage& page) {
  std::string json = R"({"items":[)";
  for (const Event& event : page.items) {
    if (json.back() != '[') json += ',';
    json += accounts::EventToJson(event);
  }
  json += R"(],"cursor":)";
  if (page.next) {
    accounts::AppendJsonText(CursorAt(call, list, *page.next), &json);
  } else {
    json += "null";
  }
  return {json + '}'};
}

// --- in

struct EventBody {
  std::string json;
};
const char* Read(const protocol::Value& value, EventBody* out) {
  const std::string_view* text = value.as_text();
  const size_t first = text ? text->find_first_not_of(" \t\r\n") : std::string_view::npos;
  if (first == std::string_view::npos || (*text)[first] != '{' || !nlohmann::json::accept(*text))
    return "must be a JSON object";
  out->json = *text;
  return nullptr;
}

using TypeText = protocol::Text<accounts::kEventTypeBytesMax>;

struct PostArgs {
  EventBody event;
  std::optional<TypeText> type;
  static constexpr void Fields(auto& field) {
    field("event", &PostArgs::event, "any JSON object");
    field("type", &PostArgs::type, "what happened; the object's own `type` if not given");
  }
};
struct PostedEvent {
  std::string event_id;
  protocol::Time created_at;
  EventStatus status = EventStatus::kUndelivered;
  static constexpr void Fields(auto& field) {
    using T = PostedEvent;
    field("eventId", &T::event_id, "its id");
    field("createdAt", &T::created_at, "when it came");
    field("status", &T::status, "");
  }
};

std::optional<std::string> TextOf(const std::optional<TypeText>& type) {
  return type ? std::optional(type->value) : std::nullopt;
}

void Post(const Call& call, PostArgs args, Answering<PostedEvent> then) {
  auto made = accounts::EventFromBody(args.event.json, TextOf(args.type));
  if (!made.ok()) return then(std::move(made.error()));
  DecideOnce<PostedEvent>(
      call, call.tenant(),
      [made = *std::move(made)](RecordStage& stage) -> protocol::Result<PostedEvent> {
        PARLEY_TRY(event, accounts::PutEvent(stage, made));
        return PostedEvent{event.event_id, event.created_at, event.status};
      },
      [](PostedEvent reply) { return reply; }, std::move(then));
}

// --- out

constexpr int kReturnsMost = 100;

// Asks until there is a page: where too many leases have ended, they are put back first, some at a time.
using AskPage = std::function<void(Answering<EventPage>)>;
void AskUntilTold(const Call& call, const AskPage& ask, int returns, const Answering<EventPage>& then) {
  ask([call, ask, returns, then](protocol::Result<EventPage> page) {
    if (!page.ok() || !page->again) return then(std::move(page));
    if (returns == 0) return then(Error(ErrorCode::kUnavailable, "very many leases have ended; ask again"));
    DecideRecords<bool>(
        call.lane, call.tenant(), [](RecordStage& stage) { return accounts::ReturnLeases(stage); },
        [call, ask, returns, then](const protocol::Result<bool>& returned) {
          if (!returned.ok()) return then(returned.error());
          AskUntilTold(call, ask, returns - 1, then);
        });
  });
}

void AnswerPage(const Call& call, const std::string& list, const AskPage& ask, Answering<EventList> then) {
  AskUntilTold(call, ask, kReturnsMost,
               [call, list, then = std::move(then)](const protocol::Result<EventPage>& page) {
                 if (!page.ok()) return then(page.error());
                 then(Shown(call, list, *page));
               });
}

AskPage Reading(const Call& call, std::function<protocol::Result<EventPage>(const RecordReads&)> read) {
  return [call, read = std::move(read)](Answering<EventPage> then) {
    ReadRecords<EventPage>(call.lane, call.lane.road(), call.tenant(), read, std::move(then));
  };
}

AskPage Leasing(const Call& call, accounts::InboxAsk ask, int64_t seconds) {
  return [call, ask = std::move(ask), seconds](Answering<EventPage> then) {
    DecideRecords<EventPage>(
        call.lane, call.tenant(),
        [ask, seconds](RecordStage& stage) { return accounts::LeaseInbox(stage, ask, seconds); },
        std::move(then));
  };
}

struct ListArgs : PageArgs {
  std::optional<EventStatus> status;
  std::optional<TypeText> type;
  static constexpr void Fields(auto& field) {
    using T = ListArgs;
    field("status", &T::status, "only those; what is leased is not among the undelivered");
    field("type", &T::type, "only those");
    field("limit", &T::limit, kLimitAbout);
    field("cursor", &T::cursor, kCursorAbout);
  }
};

void List(const Call& call, ListArgs args, Answering<EventList> then) {
  std::string list = "events";
  if (args.status) list += " " + std::string(protocol::NameOf(*args.status));
  if (args.type) list += " of " + args.type->value;
  auto after = PositionIn(call, list, args.cursor);
  if (!after.ok()) return then(std::move(after.error()));
  const accounts::EventAsk ask{args.status, TextOf(args.type), LimitOf(args.limit), *std::move(after)};
  const auto read = [ask](const RecordReads& reads) { return accounts::ListEvents(reads, ask); };
  AnswerPage(call, list, Reading(call, read), std::move(then));
}

struct InboxArgs {
  std::optional<protocol::Bounded<1, accounts::kInboxMost>> limit;
  std::optional<protocol::Text<2048>> cursor;
  std::optional<protocol::Bounded<1, accounts::kLeaseSecondsMost>> lease_seconds;
  static constexpr void Fields(auto& field) {
    using T = InboxArgs;
    field("limit", &T::limit, kLimitAbout);
    field("cursor", &T::cursor, kCursorAbout);
    field("leaseSeconds", &T::lease_seconds, "hides what is handed out from everybody for so long");
  }
};

void Inbox(const Call& call, InboxArgs args, Answering<EventList> then) {
  const std::string list = "inbox";
  auto after = PositionIn(call, list, args.cursor);
  if (!after.ok()) return then(std::move(after.error()));
  const size_t limit = args.limit ? static_cast<size_t>(args.limit->value) : accounts::kInboxDefault;
  const accounts::InboxAsk ask{limit, *std::move(after)};
  // A HEAD is shown nothing, so nothing is handed out.
  if (!args.lease_seconds || call.exchange->request().method == "HEAD") {
    const auto read = [ask](const RecordReads& reads) { return accounts::ReadInbox(reads, ask); };
    return AnswerPage(call, list, Reading(call, read), std::move(then));
  }
  if (call.node().draining()) return then(Error(ErrorCode::kUnavailable, "the server is draining"));
  AnswerPage(call, list, Leasing(call, ask, args.lease_seconds->value), std::move(then));
}

// --- one, or some

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

void Get(const Call& call, EventArgs args, Answering<OneEvent> then) {
  ReadRecords<Event>(
      call.lane, call.lane.road(), call.tenant(),
      [id = args.event_id.value](const RecordReads& reads) { return accounts::GetEvent(reads, id); },
      AsShown(std::move(then)));
}

void Ack(const Call& call, EventArgs args, Answering<OneEvent> then) {
  DecideRecords<Event>(
      call.lane, call.tenant(),
      [id = args.event_id.value](RecordStage& stage) { return accounts::AckEvent(stage, id); },
      AsShown(std::move(then)));
}

void Delete(const Call& call, EventArgs args, Answering<NoContent> then) {
  DecideRecords<NoContent>(
      call.lane, call.tenant(),
      [id = args.event_id.value](RecordStage& stage) -> protocol::Result<NoContent> {
        PARLEY_CHECK_OK(accounts::DeleteEvent(stage, id));
        return NoContent{};
      },
      std::move(then));
}

struct AckManyArgs {
  protocol::List<EventIdText, accounts::kAckTogether> event_ids;
  static constexpr void Fields(auto& field) {
    field("eventIds", &AckManyArgs::event_ids, "from one to a hundred");
  }
};
struct AckLine {
  std::string event_id;
  AckOutcome status = AckOutcome::kNotFound;
  static constexpr void Fields(auto& field) {
    field("eventId", &AckLine::event_id, "");
    field("status", &AckLine::status, "what it is now");
  }
};
struct AckReply {
  protocol::List<AckLine, accounts::kAckTogether> results;
  static constexpr void Fields(auto& field) {
    field("results", &AckReply::results, "in the order of the ids");
  }
};

void AckMany(const Call& call, AckManyArgs args, Answering<AckReply> then) {
  std::vector<std::string> ids;
  for (EventIdText& id : args.event_ids.items) ids.push_back(std::move(id.value));
  DecideRecords<AckReply>(
      call.lane, call.tenant(),
      [ids = std::move(ids)](RecordStage& stage) -> protocol::Result<AckReply> {
        PARLEY_TRY(acked, accounts::AckEvents(stage, ids));
        AckReply reply;
        for (const accounts::AckResult& one : acked)
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
  constexpr HttpRoute::Traits kWhole{.body_field = "event", .body_bytes_max = accounts::kPayloadBytesMax};
  return {
      RouteTo<PostArgs, PostedEvent, Post>(kPost, kEvents, "postEvent", kBackEnd, 201,
                                           "Takes in an event, which waits until it is acknowledged.", kWhole),
      RouteTo<ListArgs, EventList, List>(
          kGet, kEvents, "listEvents", kBackEnd, 200,
          "Events: of a status or type the oldest first, of neither the newest first."),
      RouteTo<InboxArgs, EventList, Inbox>(kGet, "/v1/inbox", "readInbox", kBackEnd, 200,
                                           "What was not acknowledged, the oldest first."),
      RouteTo<EventArgs, OneEvent, Get>(kGet, kEvent, "getEvent", kBackEnd, 200, "An event."),
      RouteTo<EventArgs, NoContent, Delete>(kDelete, kEvent, "deleteEvent", kBackEnd, 204,
                                            "The event is gone, acknowledged or not."),
      RouteTo<EventArgs, OneEvent, Ack>(kPost, "/v1/events/{eventId}/ack", "ackEvent", kBackEnd, 200,
                                        "The event needs nobody any more; a repeat changes nothing."),
      RouteTo<AckManyArgs, AckReply, AckMany>(kPost, "/v1/events/ack", "ackEvents", kBackEnd, 200,
                                              "Acknowledges some at once, with a result for each."),
  };
}

}  // namespace parley::gateway
