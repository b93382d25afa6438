// A tenant's inbox: undelivered events, oldest first. Each read returns an event again until it is
// acknowledged, unless it is leased: a leased event is hidden from every read until the lease ends or the
// event is acknowledged.
//
// A lease is an attribute of the event. It moves the event's entry in available-index from those in order of
// time to those in order of the end of their leases. A read of the inbox takes the first of the former and
// the ended ones of the latter, and no hidden event, however many there are. Events whose leases have ended
// are available at once, in their places, and move back among the former when they are leased again, or by
// ReturnLeases if they are too many to be merged in one read.
//
// Thread contract: records.h.
#pragma once

#include "features/events/events.h"

namespace parley::features {

inline constexpr size_t kInboxDefault = 50, kInboxMost = 100;
inline constexpr int64_t kLeaseSecondsMost = 3600;

struct InboxAsk {
  size_t limit = kInboxDefault;
  // `next` of the previous page, whose event may have been acknowledged since
  std::optional<std::string> after = {};
};
protocol::Result<EventPage> ReadInbox(const accounts::RecordReads& reads, const InboxAsk& ask);

// Decisions. Hides the returned events for that long. BAD_REQUEST: not from 1 to kLeaseSecondsMost.
protocol::Result<EventPage> LeaseInbox(accounts::RecordTransaction& tx, const InboxAsk& ask,
                                       int64_t lease_seconds);
// Moves some ended leases back. Returns true if there are more.
protocol::Result<bool> ReturnLeases(accounts::RecordTransaction& tx);

}  // namespace parley::features
