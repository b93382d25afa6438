#include "features/events/events.h"

#include <set>

#include "accounts/records/item_fields.h"
#include "features/events/event_inbox.h"
#include "features/events/event_pages.h"
#include "features/events/payload.h"
#include "protocol/base/reason.h"

namespace parley::features {

using protocol::Error;
using protocol::Reason;
using protocol::Result;
using protocol::Status;

namespace {

constexpr std::string_view kStatusIndex = "status-index", kStatusRange = "gsi1sk";
constexpr std::string_view kTypeIndex = "event-type-index", kTypeRange = "gsi2sk";
constexpr size_t kEventsReadMost = 2000;          // per page of one status and one type
constexpr size_t kCommitBytes = size_t{3} << 20;  // per transaction, which may have 4 MiB
constexpr size_t kEventIdBytesMax = 64;

Error NoSuchEvent() {
  return ErrorFor(Reason::kNoEvent, "no such event");
}

Result<std::optional<storage::Item>> FindItem(const accounts::RecordReads& reads, std::string_view event_id) {
  if (event_id.empty() || event_id.size() > kEventIdBytesMax) return std::optional<storage::Item>();
  return reads.Find(kEventsTable, reads.tenant().ToText(), event_id);
}

bool IsDelivered(const storage::Item& item) {
  return accounts::TextOf(item, "status") == protocol::NameOf(EventStatus::kDelivered);
}

void StageEvent(accounts::RecordTransaction& tx, storage::Item item) {
  tx.Put(kEventsTable, "event", std::move(item));
}

// One range of an index, of entries "prefix" + time.
struct RangeAsk {
  std::string_view index, range;
  std::string prefix;
  size_t limit = 0;
  bool forward = true;
  std::optional<EventPlace> after;
};
Result<EventRange> ReadRange(const accounts::RecordReads& reads, const RangeAsk& ask) {
  accounts::RecordReads::Ask rows{kEventsTable, ask.index,
                                  accounts::BeginningWith(reads.tenant().ToText(), ask.prefix), ask.limit,
                                  ask.forward};
  if (ask.after)
    rows.after = BehindPlace(reads.tenant(), ask.range, ask.prefix + Padded(ask.after->ms), *ask.after);
  PARLEY_TRY(page, reads.ListToTheEnd(std::move(rows)));
  return EventRange{std::move(page.items), page.last.has_value()};
}

std::string PrefixOf(EventStatus status) {
  return std::string(protocol::NameOf(status)) + "#";
}

// The two statuses are two ranges in order of time.
Result<EventPage> ListAll(const accounts::RecordReads& reads, size_t limit,
                          const std::optional<EventPlace>& after) {
  const auto read = [&](EventStatus status) {
    return ReadRange(reads, {kStatusIndex, kStatusRange, PrefixOf(status), limit, false, after});
  };
  PARLEY_TRY(waiting, read(EventStatus::kUndelivered));
  PARLEY_TRY(delivered, read(EventStatus::kDelivered));
  return PageOf(Merge(std::move(waiting), std::move(delivered), limit, false));
}

bool IsShown(const storage::Item& item, const std::optional<EventStatus>& status, protocol::Time now) {
  if (!status) return true;
  if (IsDelivered(item) != (*status == EventStatus::kDelivered)) return false;
  const auto leased = accounts::MillisOf(item, "leased_until");
  return !leased || *leased <= now;
}

// For one type; with a status, filters a bounded number of entries.
Result<EventPage> ListType(const accounts::RecordReads& reads, const EventAsk& ask,
                           std::optional<EventPlace> after) {
  EventRange out;
  size_t looked_at = 0, bytes = 0;
  const std::string prefix = ask.type.value_or("") + "#";
  do {
    PARLEY_TRY(range, ReadRange(reads, {kTypeIndex, kTypeRange, prefix, ask.limit, true, after}));
    out.more = range.more;
    looked_at += range.items.size();
    for (storage::Item& item : range.items) {
      after = PlaceOf(item);
      if (!IsShown(item, ask.status, reads.now())) continue;
      const bool last = &item == &range.items.back();
      bytes += storage::ItemSize(item);
      out.items.push_back(std::move(item));
      if (out.items.size() < ask.limit && bytes < storage::kPageBytesMax) continue;
      out.more = out.more || !last;
      return PageOf(out);
    }
  } while (out.more && looked_at < kEventsReadMost);
  PARLEY_TRY(page, PageOf(out));
  if (out.more && after) page.next = CursorOf(*after);
  return page;
}

}  // namespace

Result<NewEvent> EventFromBody(std::string_view json, const std::optional<std::string>& type) {
  PARLEY_TRY(payload, PayloadFromJson(json));
  const std::string given = type ? *type : accounts::TextOf(payload, "type");
  if ((type || !given.empty()) && !IsEventType(given))
    return Error::BadField("type", "must have 1 to 128 visible ASCII characters other than #");
  return NewEvent{NewEventId(), given, std::move(payload)};
}

Result<Event> PutEvent(accounts::RecordTransaction& tx, NewEvent event) {
  PARLEY_TRY(before, FindItem(tx, event.event_id));
  if (before) return ErrorFor(Reason::kEventExists, "there is an event with this id");
  storage::Item item =
      NewEventItem(tx.tenant(), event.event_id, event.type, std::move(event.payload), tx.now());
  PARLEY_TRY(made, EventFromItem(item));
  StageEvent(tx, std::move(item));
  PARLEY_CHECK_OK(tx.Commit());
  return made;
}

Result<Event> AckEvent(accounts::RecordTransaction& tx, std::string_view event_id) {
  PARLEY_TRY(item, FindItem(tx, event_id));
  if (!item) return NoSuchEvent();
  if (IsDelivered(*item)) return EventFromItem(*item);
  SetDelivered(&*item, tx.now());
  PARLEY_TRY(event, EventFromItem(*item));
  StageEvent(tx, *std::move(item));
  PARLEY_CHECK_OK(tx.Commit());
  return event;
}

// Acknowledgements are independent: if they are too large for one transaction, they become several.
Result<std::vector<AckResult>> AckEvents(accounts::RecordTransaction& tx,
                                         const std::vector<std::string>& ids) {
  if (ids.empty() || ids.size() > kAckTogether)
    return Error::BadField("eventIds", "must be 1 to " + std::to_string(kAckTogether) + " ids");
  std::vector<AckResult> out;
  std::set<std::string_view> seen;
  size_t bytes = 0;
  for (const std::string& id : ids) {
    PARLEY_TRY(item, FindItem(tx, id));
    out.push_back({id, item.has_value()});
    if (!item || IsDelivered(*item) || !seen.insert(id).second) continue;
    SetDelivered(&*item, tx.now());
    bytes += storage::ItemSize(*item);
    if (bytes > kCommitBytes) {
      PARLEY_CHECK_OK(tx.Commit());
      bytes = storage::ItemSize(*item);
    }
    StageEvent(tx, *std::move(item));
  }
  PARLEY_CHECK_OK(tx.Commit());
  return out;
}

Status DeleteEvent(accounts::RecordTransaction& tx, std::string_view event_id) {
  PARLEY_TRY(item, FindItem(tx, event_id));
  if (!item) return NoSuchEvent();
  tx.Delete(kEventsTable, tx.tenant().ToText(), event_id);
  return tx.Commit();
}

Result<Event> GetEvent(const accounts::RecordReads& reads, std::string_view event_id) {
  PARLEY_TRY(item, FindItem(reads, event_id));
  if (!item) return NoSuchEvent();
  return EventFromItem(*item);
}

Result<EventPage> ListEvents(const accounts::RecordReads& reads, const EventAsk& ask) {
  std::optional<EventPlace> after;
  if (ask.after) {
    PARLEY_TRY(place, ParseEventPlace(*ask.after));
    after = place;
  }
  if (ask.type && !IsEventType(*ask.type))
    return Error::BadField("type", "must have 1 to 128 visible ASCII characters other than #");
  if (ask.type) return ListType(reads, ask, after);
  if (!ask.status) return ListAll(reads, ask.limit, after);
  if (*ask.status == EventStatus::kUndelivered) return ReadInbox(reads, {ask.limit, ask.after});
  PARLEY_TRY(range,
             ReadRange(reads, {kStatusIndex, kStatusRange, PrefixOf(*ask.status), ask.limit, true, after}));
  return PageOf(range);
}

}  // namespace parley::features
