// Reads the open cards of a thread from its head. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "threads/model/rows.h"

namespace parley::threads {

// The booking that an open card concerns; empty: everything that the thread is about.
std::string_view BookingOf(const OpenCard& card);
// Whether the two bookings overlap: they are equal, or one of them is everything that the thread is about.
bool Concern(std::string_view booking, std::string_view other);

const std::vector<OpenCard>& OpenCardsOf(const ThreadRow& head);
// Open safety reports and disputes; each is a case for moderators.
std::vector<MessageId> CaseCardsOf(const ThreadRow& head);
const OpenCard* FindOpen(const ThreadRow& head, std::string_view type);
// The first card of the type that concerns the booking.
const OpenCard* FindOpen(const ThreadRow& head, std::string_view type, std::string_view booking);
// Finds an open card that is a case: the back end opened a case for it, or support may decide it in its
// present state. While it is open, staff bound to cases may look into the thread.
const OpenCard* FindCase(const ThreadRow& head);
// The time when the next of the thread's open cards lapses.
std::optional<protocol::Time> NextDue(const ThreadRow& head);
inline bool IsDue(const OpenCard& card, protocol::Time now) {
  return card.due && *card.due <= now;
}
// The head as of `now`, without the cards that have lapsed but are not yet written as EXPIRED.
ThreadRow HeadAsOf(ThreadRow head, protocol::Time now);

}  // namespace parley::threads
