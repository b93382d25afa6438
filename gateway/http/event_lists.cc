#include "gateway/http/event_lists.h"

#include <functional>

#include "features/events/payload.h"
#include "features/host/records.h"
#include "gateway/app/counted_text.h"
#include "protocol/base/json_text.h"
#include "protocol/base/reason.h"

namespace parley::gateway {
namespace {

using accounts::RecordReads;
using accounts::RecordTransaction;
using features::Event;
using features::EventPage;
using protocol::Error;
using protocol::Reason;

constexpr size_t kEventBytesOnLoop = size_t{64} << 10;  // larger pages are rendered by a reader thread

// Renders a page as JSON. The text counts against the readers' budget while it grows.
void Tell(const EventPage& page, const std::optional<std::string>& cursor, CountedText* out) {
  std::string& json = out->text();
  json = R"({"items":[)";
  for (const Event& event : page.items) {
    if (json.back() != '[') json += ',';
    json += features::EventToJson(event);
    out->Count();
  }
  json += R"(],"cursor":)";
  if (cursor) {
    protocol::AppendJsonText(*cursor, &json);
  } else {
    json += "null";
  }
  json += '}';
}

EventList Taken(CountedText* told) {
  EventList list;
  told->TakeText(&list.json);  // the outbox counts it
  return list;
}

// Renders a large page on a reader thread, so that it does not block the loop.
void Show(const Call& call, const std::string& list, EventPage page, const Answering<EventList>& then) {
  const auto cursor = page.next ? std::optional(CursorAt(call, list, *page.next)) : std::nullopt;
  size_t bytes = 0;
  for (const Event& event : page.items) bytes += storage::ItemSize(event.payload);
  const auto told = std::make_shared<CountedText>(call.node().readers());
  if (bytes <= kEventBytesOnLoop) {
    Tell(page, cursor, told.get());
    return then(Taken(told.get()));
  }
  ReadJob job;
  job.read = [told, cursor, page = std::make_shared<const EventPage>(std::move(page))](
                 const storage::Reader&) { Tell(*page, cursor, told.get()); };
  job.finish = [told, then] { then(Taken(told.get())); };
  job.loop = &call.io.loop();
  job.owner = call.tenant().ToText();
  if (!call.node().read_pool().SubmitDue(job)) then(features::TooManyReads());
}

constexpr int kReturnsMost = 100;

// Asks until there is a page. If too many leases have expired, returns some to the inbox and asks again.
using AskPage = std::function<void(Answering<EventPage>)>;
void AskUntilTold(const Call& call, const AskPage& ask, int returns, const Answering<EventPage>& then) {
  ask([call, ask, returns, then](protocol::Result<EventPage> page) {
    if (!page.ok() || !page->again) return then(std::move(page));
    if (returns == 0) return then(ErrorFor(Reason::kBusy, "too many leases have expired; retry"));
    DecideRecords<bool>(
        call.io, call.tenant(), [](RecordTransaction& tx) { return features::ReturnLeases(tx); },
        [call, ask, returns, then](const protocol::Result<bool>& returned) {
          if (!returned.ok()) return then(returned.error());
          AskUntilTold(call, ask, returns - 1, then);
        });
  });
}

void AnswerPage(const Call& call, const std::string& list, const AskPage& ask, Answering<EventList> then) {
  AskUntilTold(call, ask, kReturnsMost,
               [call, list, then = std::move(then)](protocol::Result<EventPage> page) {
                 if (!page.ok()) return then(page.error());
                 Show(call, list, *std::move(page), then);
               });
}

AskPage Reading(const Call& call, std::function<protocol::Result<EventPage>(const RecordReads&)> read) {
  return [call, read = std::move(read)](Answering<EventPage> then) {
    ReadRecords<EventPage>(call.io, call.io.road(call.tenant()), call.tenant(), read, std::move(then));
  };
}

AskPage Leasing(const Call& call, features::InboxAsk ask, int64_t seconds) {
  return [call, ask = std::move(ask), seconds](Answering<EventPage> then) {
    DecideRecords<EventPage>(
        call.io, call.tenant(),
        [ask, seconds](RecordTransaction& tx) { return features::LeaseInbox(tx, ask, seconds); },
        std::move(then));
  };
}

}  // namespace

void ListEvents(const Call& call, ListEventsArgs args, Answering<EventList> then) {
  std::string list = "events";
  if (args.status) list += " " + std::string(protocol::NameOf(*args.status));
  if (args.type) list += " of " + args.type->value;
  auto after = PositionIn(call, list, args.cursor);
  if (!after.ok()) return then(std::move(after.error()));
  const features::EventAsk ask{args.status, TextOf(args.type), LimitOf(args.limit), *std::move(after)};
  const auto read = [ask](const RecordReads& reads) { return features::ListEvents(reads, ask); };
  AnswerPage(call, list, Reading(call, read), std::move(then));
}

void ReadInbox(const Call& call, InboxArgs args, Answering<EventList> then) {
  const std::string list = "inbox";
  auto after = PositionIn(call, list, args.cursor);
  if (!after.ok()) return then(std::move(after.error()));
  const size_t limit = args.limit ? static_cast<size_t>(args.limit->value) : features::kInboxDefault;
  const features::InboxAsk ask{limit, *std::move(after)};
  // A HEAD request returns no events, so it must not lease any.
  if (!args.lease_seconds || call.exchange->request().method == "HEAD") {
    const auto read = [ask](const RecordReads& reads) { return features::ReadInbox(reads, ask); };
    return AnswerPage(call, list, Reading(call, read), std::move(then));
  }
  if (call.node().draining()) return then(ErrorFor(Reason::kDraining, "the server is draining"));
  AnswerPage(call, list, Leasing(call, ask, args.lease_seconds->value), std::move(then));
}

}  // namespace parley::gateway
