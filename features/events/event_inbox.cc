#include "features/events/event_inbox.h"

#include <algorithm>

#include "accounts/records/item_fields.h"
#include "features/events/event_pages.h"

namespace parley::features {

using protocol::Error;
using protocol::Result;
using protocol::Status;

namespace {

constexpr std::string_view kIndex = "available-index", kRange = "gsi3sk";
constexpr std::string_view kAvailable = "available#", kLeased = "leased#";
constexpr size_t kEndedTogether = 90;  // examined, and moved back in one transaction

// In order of time, after `after`.
Result<EventRange> ReadAvailable(const accounts::RecordReads& reads, size_t limit,
                                 const std::optional<EventPlace>& after) {
  const std::string tenant = reads.tenant().ToText();
  accounts::RecordReads::Ask ask{kEventsTable, kIndex, accounts::BeginningWith(tenant, kAvailable), limit};
  if (after)
    ask.after = BehindPlace(reads.tenant(), kRange, std::string(kAvailable) + Padded(after->ms), *after);
  PARLEY_TRY(page, reads.ListToTheEnd(std::move(ask)));
  return EventRange{std::move(page.items), page.last.has_value()};
}

// Events whose leases have ended: those that ended first.
Result<EventRange> ReadEnded(const accounts::RecordReads& reads) {
  storage::KeyCondition key = accounts::AllOf(reads.tenant().ToText());
  key.op = storage::KeyCondition::Op::kBetween;
  key.low = kLeased;
  key.high = std::string(kLeased) + Padded(reads.now().ms) + "#~";
  PARLEY_TRY(page, reads.ListToTheEnd({kEventsTable, kIndex, std::move(key), kEndedTogether}));
  return EventRange{std::move(page.items), page.last.has_value()};
}

void SortByPlace(std::vector<storage::Item>* items) {
  std::sort(items->begin(), items->end(),
            [](const storage::Item& a, const storage::Item& b) { return PlaceOf(a) < PlaceOf(b); });
}

// All visible events in order, after `after`. REQUIRES: `ended` has no more.
Result<EventRange> ReadVisible(const accounts::RecordReads& reads, const InboxAsk& ask, EventRange ended) {
  std::optional<EventPlace> after;
  if (ask.after) {
    PARLEY_TRY(place, ParseEventPlace(*ask.after));
    after = place;
    std::erase_if(ended.items, [&](const storage::Item& item) { return PlaceOf(item) <= place; });
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

Status StageLeases(accounts::RecordTransaction& tx, std::vector<storage::Item> items,
                   std::optional<protocol::Time> until) {
  for (storage::Item& item : items) {
    SetLeased(&item, until);
    tx.Put(kEventsTable, "event", std::move(item));
  }
  return tx.Commit();
}

}  // namespace

Result<EventPage> ReadInbox(const accounts::RecordReads& reads, const InboxAsk& ask) {
  PARLEY_TRY(ended, ReadEnded(reads));
  if (ended.more) return AskAgain();
  PARLEY_TRY(visible, ReadVisible(reads, ask, std::move(ended)));
  return PageOf(visible);
}

Result<EventPage> LeaseInbox(accounts::RecordTransaction& tx, const InboxAsk& ask, int64_t lease_seconds) {
  if (lease_seconds < 1 || lease_seconds > kLeaseSecondsMost)
    return Error::BadField("leaseSeconds", "must be from 1 to " + std::to_string(kLeaseSecondsMost));
  PARLEY_TRY(ended, ReadEnded(tx));
  if (ended.more) return AskAgain();
  PARLEY_TRY(visible, ReadVisible(tx, ask, std::move(ended)));
  PARLEY_TRY(page, PageOf(visible));
  const protocol::Time until{tx.now().ms + lease_seconds * 1000};
  PARLEY_CHECK_OK(StageLeases(tx, std::move(visible.items), until));
  return page;
}

Result<bool> ReturnLeases(accounts::RecordTransaction& tx) {
  PARLEY_TRY(ended, ReadEnded(tx));
  PARLEY_CHECK_OK(StageLeases(tx, std::move(ended.items), {}));
  return ended.more;
}

}  // namespace parley::features
