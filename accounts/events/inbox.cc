#include "accounts/events/inbox.h"

#include <algorithm>

#include "accounts/events/event_pages.h"
#include "accounts/records/item_fields.h"

namespace parley::accounts {

using protocol::Error;
using protocol::Result;
using protocol::Status;

namespace {

constexpr std::string_view kIndex = "available-index", kRange = "gsi3sk";
constexpr std::string_view kAvailable = "available#", kLeased = "leased#";
constexpr size_t kEndedTogether = 90;  // examined, and moved back in one transaction

// In order of time, after `after`.
Result<EventRange> ReadAvailable(const RecordReads& reads, size_t limit,
                                 const std::optional<EventPlace>& after) {
  const std::string tenant = reads.tenant().ToText();
  RecordReads::Ask ask{kEventsTable, kIndex, BeginningWith(tenant, kAvailable), limit};
  if (after)
    ask.after = BehindPlace(reads.tenant(), kRange, std::string(kAvailable) + Padded(after->ms), *after);
  PARLEY_TRY(page, reads.ListToTheEnd(std::move(ask)));
  return EventRange{std::move(page.items), page.last.has_value()};
}

// Events whose leases have ended: those that ended first.
Result<EventRange> ReadEnded(const RecordReads& reads) {
  storage::KeyCondition key = AllOf(reads.tenant().ToText());
  key.op = storage::KeyCondition::Op::kBetween;
  key.low = kLeased;
  key.high = std::string(kLeased) + Padded(reads.now().ms) + "#~";
  PARLEY_TRY(page, reads.ListToTheEnd({kEventsTable, kIndex, std::move(key), kEndedTogether}));
  return EventRange{std::move(page.items), page.last.has_value()};
}

void SortByPlace(std::vector<Item>* items) {
  std::sort(items->begin(), items->end(),
            [](const Item& a, const Item& b) { return PlaceOf(a) < PlaceOf(b); });
}

// All visible events in order, after `after`. REQUIRES: `ended` has no more.
Result<EventRange> ReadVisible(const RecordReads& reads, const InboxAsk& ask, EventRange ended) {
  std::optional<EventPlace> after;
  if (ask.after) {
    PARLEY_TRY(place, ParseEventPlace(*ask.after));
    after = place;
    std::erase_if(ended.items, [&](const Item& item) { return PlaceOf(item) <= place; });
  }
  SortByPlace(&ended.items);
  PARLEY_TRY(available, ReadAvailable(reads, ask.limit, after));
  return Merge(std::move(available), std::move(ended), ask.limit, true);
}

EventPage AskAgain() {
  EventPage out;
  out.again = true;
  return out;
}

Status StageLeases(RecordStage& stage, std::vector<Item> items, std::optional<protocol::Time> until) {
  for (Item& item : items) {
    SetLeased(&item, until);
    stage.Put(kEventsTable, "event", std::move(item));
  }
  return stage.Commit();
}

}  // namespace

Result<EventPage> ReadInbox(const RecordReads& reads, const InboxAsk& ask) {
  PARLEY_TRY(ended, ReadEnded(reads));
  if (ended.more) return AskAgain();
  PARLEY_TRY(visible, ReadVisible(reads, ask, std::move(ended)));
  return PageOf(visible);
}

Result<EventPage> LeaseInbox(RecordStage& stage, const InboxAsk& ask, int64_t lease_seconds) {
  if (lease_seconds < 1 || lease_seconds > kLeaseSecondsMost)
    return Error::BadField("leaseSeconds", "must be from 1 to " + std::to_string(kLeaseSecondsMost));
  PARLEY_TRY(ended, ReadEnded(stage));
  if (ended.more) return AskAgain();
  PARLEY_TRY(visible, ReadVisible(stage, ask, std::move(ended)));
  PARLEY_TRY(page, PageOf(visible));
  const protocol::Time until{stage.now().ms + lease_seconds * 1000};
  PARLEY_CHECK_OK(StageLeases(stage, std::move(visible.items), until));
  return page;
}

Result<bool> ReturnLeases(RecordStage& stage) {
  PARLEY_TRY(ended, ReadEnded(stage));
  PARLEY_CHECK_OK(StageLeases(stage, std::move(ended.items), {}));
  return ended.more;
}

}  // namespace parley::accounts
