// Message requests: whom a request keeps out of a thread, and how each side sees it. The private part of the
// thread's head stores the request. In a pair's thread, its receiver is a member at once, but until they
// accept, events only tell them that the thread changed, and reads of the thread reject them.
//
// Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "threads/model/rows.h"

namespace parley::threads {

// Whether the user received a request in this thread and has not accepted it.
bool IsGated(const ThreadRow& head, const UserId& user);
// The receiver of the thread's own request, until they accept.
std::optional<UserId> GatedIn(const ThreadRow& head);

// The request that asks a stranger to join a group; until they accept, they are no member. Returns nullptr if
// the user has no such request.
const RequestRow* InvitedIn(const ThreadRow& head, const UserId& user);
const std::vector<RequestRow>& InvitedTo(const ThreadRow& head);
size_t CountWaiting(const ThreadRow& head);  // the number of unanswered ones
// Adds a request. If the list is full, it replaces the oldest answered one, so users who declined stay in the
// list as long as there is room. REQUIRES: fewer than kMaxInvited are unanswered.
void AddInvited(ThreadRow* head, RequestRow request);
void TakeInvited(ThreadRow* head, const UserId& user);
void AnswerInvited(ThreadRow* head, const UserId& user, protocol::RequestState answer);
// A placeholder for the participant row that an invited user does not have, for their inbox entry.
ParticipantRow RowOfInvited(const ThreadRow& head, const RequestRow& request);

// Whether the thread is listed in the member's inbox; false if a request to them has expired.
bool IsListed(const ThreadRow& head, const UserId& user);

// The request as this user sees it; nullopt unless they are one of its two sides.
std::optional<protocol::MessageRequest> RequestSeenBy(const ThreadRow& head, const UserId& user);
protocol::MessageRequest ShownRequest(const RequestRow& request, const UserId& user);

// The state at `now`: expired once its time is over, even if the clock has not yet written that.
protocol::RequestState StateAt(const RequestRow& request, Time now);
// Whether the thread's request was rejected or has expired.
bool CameToNothing(const ThreadRow& head, Time now);

// The time when the next pending request of the thread expires; nullopt if none is pending.
std::optional<Time> RequestDue(const ThreadRow& head);

// The part of a preview that the receiver sees before they answer.
std::string ShownWhilePending(const ThreadRow& head, const RequestRow& request, const std::string& preview);

}  // namespace parley::threads
