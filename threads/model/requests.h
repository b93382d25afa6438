// A message request: what it keeps from whom, and how each of the two sees it. The thread holds it in its
// head's private part. Whoever is asked is a member already, but until they accept they are told of shared
// changes only that there are some, and no read of the thread answers them.
//
// Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "threads/model/rows.h"

namespace parley::threads {

// Whether the user was asked and has not accepted, whatever else became of the request.
bool IsGated(const ThreadRow& head, const UserId& user);
// Which member is; nullopt: none.
std::optional<UserId> GatedIn(const ThreadRow& head);

// The request by which a stranger is asked to come into a group: they are no member before they accept.
// nullptr: they are not asked.
const RequestRow* InvitedIn(const ThreadRow& head, const UserId& user);
const std::vector<RequestRow>& InvitedTo(const ThreadRow& head);
size_t CountWaiting(const ThreadRow& head);  // those of them that have no answer
// Whoever declined stays in the list, as long as others who are asked leave room.
// REQUIRES: fewer than kMaxInvited wait.
void AddInvited(ThreadRow* head, RequestRow request);
void TakeInvited(ThreadRow* head, const UserId& user);
void AnswerInvited(ThreadRow* head, const UserId& user, protocol::RequestState answer);
// Stands for the row that they do not have, where an entry is made.
ParticipantRow RowOfInvited(const ThreadRow& head, const RequestRow& request);

// Whether the thread stands in the inbox of this member: not if the request that they got has expired.
bool IsListed(const ThreadRow& head, const UserId& user);

// As that one of the two is shown it; nullopt for everybody else.
std::optional<protocol::MessageRequest> RequestSeenBy(const ThreadRow& head, const UserId& user);
protocol::MessageRequest ShownRequest(const RequestRow& request, const UserId& user);

// What it is by the clock, which may be late.
protocol::RequestState StateAt(const RequestRow& request, Time now);
// Whether the request of the thread came to nothing: it was turned away, or its time is over.
bool CameToNothing(const ThreadRow& head, Time now);

// When the clock has to end it; nullopt: never, or no more.
std::optional<Time> RequestDue(const ThreadRow& head);

// As much of a preview as `to` is shown before they answer.
std::string ShownWhilePending(const ThreadRow& head, const RequestRow& request, const std::string& preview);

}  // namespace parley::threads
