// Pages of events from one or two ranges of an index, in order of time and, within a millisecond, of ids. For
// this folder only.
#pragma once

#include <string>
#include <vector>

#include "features/events/event.h"

namespace parley::features {

// A place in the order of events: after an event, which may have been deleted since.
struct EventPlace {
  int64_t ms = 0;
  std::string event_id;
  friend auto operator<=>(const EventPlace&, const EventPlace&) = default;
};
EventPlace PlaceOf(const storage::Item& item);
std::string CursorOf(const EventPlace& place);
// BAD_REQUEST if the text is invalid.
protocol::Result<EventPlace> ParseEventPlace(std::string_view text);

// "0001762351927123", so that the order of texts is that of times.
std::string Padded(int64_t ms);
// The start of an index's page after a place. `range` is the index's sort key with its value.
storage::Item BehindPlace(const protocol::TenantId& tenant, std::string_view range, std::string value,
                          const EventPlace& place);

struct EventRange {
  std::vector<storage::Item> items;  // in order
  bool more = false;                 // others follow that were not read
};
// The first `limit` events of both in order, unless unread ones might precede them.
EventRange Merge(EventRange a, EventRange b, size_t limit, bool forward);
protocol::Result<EventPage> PageOf(const EventRange& range);

}  // namespace parley::features
