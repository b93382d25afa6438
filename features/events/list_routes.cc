#include "features/events/list_routes.h"

#include <functional>
#include <memory>
#include <utility>

#include "features/events/payload.h"
#include "features/host/records.h"
#include "protocol/base/json_text.h"
#include "protocol/base/reason.h"

namespace parley::features {
namespace {

using accounts::RecordReads;
using accounts::RecordTransaction;
using protocol::Error;
using protocol::Reason;

constexpr size_t kEventBytesOnLoop = size_t{64} << 10;  // larger pages are rendered by a reader thread

// Appends a page as JSON.
void AppendPage(const EventPage& page, const std::optional<std::string>& cursor, std::string* json,
                const std::function<void()>& count) {
  *json += R"({"items":[)";
  for (const Event& event : page.items) {
    if (json->back() != '[') *json += ',';
    *json += EventToJson(event);
    count();
  }
  *json += R"(],"cursor":)";
  if (cursor) {
    protocol::AppendJsonText(*cursor, json);
  } else {
    *json += "null";
  }
  *json += '}';
}

void AnswerWithPage(const Call& call, const std::string& list, EventPage found,
                    const Answering<EventList>& then) {
  const auto cursor = found.next ? std::optional(CursorAt(call, list, *found.next)) : std::nullopt;
  size_t bytes = 0;
  for (const Event& event : found.items) bytes += storage::ItemSize(event.payload);
  call.host.Compose(
      call.tenant(), bytes > kEventBytesOnLoop,
      [cursor, page = std::make_shared<const EventPage>(std::move(found))](
          std::string* json, const std::function<void()>& count) { AppendPage(*page, cursor, json, count); },
      [then](protocol::Result<std::string> json) {
        if (!json.ok()) return then(std::move(json.error()));
        then(EventList{*std::move(json)});
      });
}

constexpr int kReturnsMost = 100;

// Asks until there is a page. If too many leases have expired, returns some to the inbox and asks again.
using AskPage = std::function<void(Answering<EventPage>)>;
void AskUntilFound(const Call& call, const AskPage& ask, int returns, const Answering<EventPage>& then) {
  ask([call, ask, returns, then](protocol::Result<EventPage> page) {
    if (!page.ok() || !page->again) return then(std::move(page));
    if (returns == 0) return then(ErrorFor(Reason::kBusy, "too many leases have expired; retry"));
    DecideRecords<bool>(
        call.host, call.tenant(), [](RecordTransaction& tx) { return ReturnLeases(tx); },
        [call, ask, returns, then](const protocol::Result<bool>& returned) {
          if (!returned.ok()) return then(returned.error());
          AskUntilFound(call, ask, returns - 1, then);
        });
  });
}

void AnswerPage(const Call& call, const std::string& list, const AskPage& ask, Answering<EventList> then) {
  AskUntilFound(call, ask, kReturnsMost,
                [call, list, then = std::move(then)](protocol::Result<EventPage> page) {
                  if (!page.ok()) return then(page.error());
                  AnswerWithPage(call, list, *std::move(page), then);
                });
}

AskPage Reading(const Call& call, std::function<protocol::Result<EventPage>(const RecordReads&)> read) {
  return [call, read = std::move(read)](Answering<EventPage> then) {
    ReadRecords<EventPage>(call.host, call.host.road(call.tenant()), call.tenant(), read, std::move(then));
  };
}

AskPage Leasing(const Call& call, InboxAsk ask, int64_t seconds) {
  return [call, ask = std::move(ask), seconds](Answering<EventPage> then) {
    DecideRecords<EventPage>(
        call.host, call.tenant(),
        [ask, seconds](RecordTransaction& tx) { return LeaseInbox(tx, ask, seconds); }, std::move(then));
  };
}

}  // namespace

void OnListEvents(const Call& call, ListEventsArgs args, Answering<EventList> then) {
  std::string list = "events";
  if (args.status) list += " " + std::string(protocol::NameOf(*args.status));
  if (args.type) list += " of " + args.type->value;
  auto after = PositionIn(call, list, args.cursor);
  if (!after.ok()) return then(std::move(after.error()));
  const EventAsk ask{args.status, TextOf(args.type), LimitOf(args.limit), *std::move(after)};
  const auto read = [ask](const RecordReads& reads) { return ListEvents(reads, ask); };
  AnswerPage(call, list, Reading(call, read), std::move(then));
}

void OnReadInbox(const Call& call, InboxArgs args, Answering<EventList> then) {
  const std::string list = "inbox";
  auto after = PositionIn(call, list, args.cursor);
  if (!after.ok()) return then(std::move(after.error()));
  const size_t limit = args.limit ? static_cast<size_t>(args.limit->value) : kInboxDefault;
  const InboxAsk ask{limit, *std::move(after)};
  // A HEAD request returns no events, so it must not lease any.
  if (!args.lease_seconds || call.exchange->request().method == "HEAD") {
    const auto read = [ask](const RecordReads& reads) { return ReadInbox(reads, ask); };
    return AnswerPage(call, list, Reading(call, read), std::move(then));
  }
  if (call.host.draining()) return then(ErrorFor(Reason::kDraining, "the server is draining"));
  AnswerPage(call, list, Leasing(call, ask, args.lease_seconds->value), std::move(then));
}

}  // namespace parley::features
