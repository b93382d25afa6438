// Checks who may read a thread and act in it. Rejections come in the order of protocol precedence:
// membership, then a known idempotency key (the commands check it between the two calls), then permission and
// the thread's status.
#pragma once

#include "protocol/base/result.h"
#include "threads/model/barriers.h"
#include "threads/model/caller.h"
#include "threads/model/rows.h"

namespace parley::threads {

// The thread and the caller's own row in it, as far as the caller may know of them.
struct Standing {
  ThreadRow head;
  std::optional<ParticipantRow> me;  // present members only
  Barriers barriers = {};  // blocks, reports and sanctions on the caller; filled in for commands only
  bool masked = false;     // only a case that was not escalated lets the caller in
};

// The caller with `masked` set as the standing requires, for reads.
Caller ViewerOf(const Caller& caller, const Standing& standing);

protocol::Error NotMember();

// Whether a caller who may read the thread may see an item that is restricted to one user: that user may, and
// so may staff and services that do not act as a user. The subject of a report does not see it.
bool MaySee(const Caller& caller, const protocol::Omit<UserId>& only_for);

// The caller if they are shadowed, which hides their message from the other members; left out: all members
// see it.
protocol::Omit<UserId> OnlyForShadowed(const Barriers& barriers, const Caller& caller);

// THREAD_NOT_MEMBER unless the caller is a member, staff, or a service that does not act as a user. Staff
// bound to cases need an open card that is a case, or access that their case granted and that has not run
// out. The answer is the same for a thread that does not exist.
protocol::Result<Standing> RequireStanding(const Caller& caller, std::optional<ThreadRow> head,
                                           std::optional<ParticipantRow> me, Time now);

// The access that a case grants the user in this thread, preferring an escalated one. Returns nullptr if
// there is no such access or it has run out.
const CaseAccess* FindCaseAccess(const ThreadRow& head, const std::optional<UserId>& user, Time now);

// FORBIDDEN for viewers who are not members.
protocol::Status RequireParticipant(const Standing& standing);

// FORBIDDEN if the member's permission is below `needed`, or for viewers who are not members.
protocol::Status RequirePermission(const Standing& standing, protocol::Permission needed);

// THREAD_LOCKED or THREAD_ARCHIVED unless the thread is open. Commands that write ask RequireMayWrite
// (barriers.h).
protocol::Status RequireOpen(const ThreadRow& head);

// MSG_GATE_REQUIRED for a member whom an unanswered or rejected request keeps out (requests.h). Staff pass.
protocol::Status RequireLetIn(const Caller& caller, const ThreadRow& head);

// MSG_GATE_REQUIRED until the thread's request is accepted: no member may write, except that the requester
// may send the one message that belongs to the request. Staff pass.
protocol::Status RequireAccepted(const Standing& standing, const Caller& caller, Writing what);

// FORBIDDEN except in projects, since only they have cards and the panel.
protocol::Status RequireProject(const ThreadRow& head);

// Whether the caller may add and remove members and change the thread: its owners and the parties and creator
// of an inquiry or project may, and services and staff. A direct thread has no owner.
bool MayManage(const Caller& caller, const Standing& standing);

// Whether the user is one of the two parties of the thread (thread_kinds.h); in a project, cards bind these
// two.
bool IsParty(const ThreadRow& head, const std::optional<UserId>& user);

}  // namespace parley::threads
