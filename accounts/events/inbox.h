// A tenant's inbox: undelivered events, oldest first, each for whoever asks until it is acknowledged, and
// with leases: what is handed out under one is hidden from everybody until it ends or the event is
// acknowledged.
//
// A lease is an attribute of the event, by which its entry in available-index moves from those in order of
// time to those in order of their leases' ends. A look at the inbox reads the first of the former and those
// of the latter that have ended, and nothing that is hidden, however many are. Events whose leases have ended
// are back at once, in their places, and are put back among the former when they are handed out, or by
// ReturnLeases where they are too many to be merged at a look.
//
// Thread contract: records.h.
#pragma once

#include "accounts/events/events.h"

namespace parley::accounts {

inline constexpr size_t kInboxDefault = 50, kInboxMost = 100;
inline constexpr int64_t kLeaseSecondsMost = 3600;

struct InboxAsk {
  size_t limit = kInboxDefault;
  std::optional<std::string> after = {};  // `next` of the page before, which may have been acknowledged since
};
protocol::Result<EventPage> ReadInbox(const RecordReads& reads, const InboxAsk& ask);

// Decisions. What it hands out is hidden for so long. BAD_REQUEST: not from 1 to kLeaseSecondsMost.
protocol::Result<EventPage> LeaseInbox(RecordStage& stage, const InboxAsk& ask, int64_t lease_seconds);
// Puts back some of what is available again. True: there is more.
protocol::Result<bool> ReturnLeases(RecordStage& stage);

}  // namespace parley::accounts
