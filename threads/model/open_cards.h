// What the head of a thread knows about its open cards. Pure functions of the head.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "threads/model/rows.h"

namespace parley::threads {

// The booking that an open card is about; empty: everything that the thread is about.
std::string_view BookingOf(const OpenCard& card);
// Whether the two bookings overlap: they are the same, or one of them is everything that the thread is about.
bool Concern(std::string_view booking, std::string_view other);

const std::vector<OpenCard>& OpenCardsOf(const ThreadRow& head);
// Open safety reports and disputes: each is a case for those who moderate.
std::vector<MessageId> CaseCardsOf(const ThreadRow& head);
const OpenCard* FindOpen(const ThreadRow& head, std::string_view type);
// The first that concerns the booking.
const OpenCard* FindOpen(const ThreadRow& head, std::string_view type, std::string_view booking);
// An open card that is a case: a case was opened for it outside, or support may decide it as it stands. While
// it is open, staff that is bound to cases may look into the thread.
const OpenCard* FindCase(const ThreadRow& head);
// When the earliest of the thread's open cards lapses.
std::optional<protocol::Time> NextDue(const ThreadRow& head);
inline bool IsDue(const OpenCard& card, protocol::Time now) {
  return card.due && *card.due <= now;
}
// The head as of `now`: without the cards that are over but not yet written as EXPIRED.
ThreadRow HeadAsOf(ThreadRow head, protocol::Time now);

}  // namespace parley::threads
