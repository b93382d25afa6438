// Who may do what in a thread. Rejections come in the order of protocol precedence: membership, then a known
// idempotency key (the commands check it between the two calls), then permission and the thread's status.
#pragma once

#include "protocol/base/result.h"
#include "threads/model/barriers.h"
#include "threads/model/caller.h"
#include "threads/model/rows.h"

namespace parley::threads {

// The thread and the caller's own row in it, as far as they may know of them.
struct Standing {
  ThreadRow head;
  std::optional<ParticipantRow> me;  // present members only
  Barriers barriers = {};            // what keeps them from writing; only commands ask
  bool masked = false;               // they are let in by cases that were not escalated, and by nothing else
};

// The caller, as whom the thread is read for them.
Caller ViewerOf(const Caller& caller, const Standing& standing);

protocol::Error NotMember();

// Whether a caller who may read the thread may see an item that is only for one user: that user may, and so
// may staff and services that do not act as a user. A report is not shown to the person it is about.
bool MaySee(const Caller& caller, const protocol::Omit<UserId>& only_for);

// Whom a message of the caller is for: nobody else while they are shadowed; left out: everybody.
protocol::Omit<UserId> OnlyForShadowed(const Barriers& barriers, const Caller& caller);

// THREAD_NOT_MEMBER unless the caller is a member, staff, or a service that does not act as a user. Staff
// that is bound to cases needs an open card that is a case, or access by one that they opened a short while
// ago. The answer is the same for a thread that does not exist.
protocol::Result<Standing> RequireStanding(const Caller& caller, std::optional<ThreadRow> head,
                                           std::optional<ParticipantRow> me, Time now);

// The access that a case gives the user in this thread, one that was escalated before others; nullptr: none,
// or it is over.
const CaseAccess* FindCaseAccess(const ThreadRow& head, const std::optional<UserId>& user, Time now);

// The same, and FORBIDDEN for viewers who are not members.
protocol::Status RequireParticipant(const Standing& standing);

// FORBIDDEN below `needed`.
protocol::Status RequirePermission(const Standing& standing, protocol::Permission needed);

// THREAD_LOCKED or THREAD_ARCHIVED unless the thread is open. Commands that write ask RequireMayWrite
// (barriers.h).
protocol::Status RequireOpen(const ThreadRow& head);

// MSG_GATE_REQUIRED for a member whom a request keeps out (requests.h); staff are not.
protocol::Status RequireLetIn(const Caller& caller, const ThreadRow& head);

// MSG_GATE_REQUIRED where a request was not accepted: until then nobody writes in its thread, neither whoever
// made it nor those whom they brought along, but for the one message that goes with it. Staff may.
protocol::Status RequireAccepted(const Standing& standing, const Caller& caller, Writing what);

// FORBIDDEN except in projects: only they have cards and the panel.
protocol::Status RequireProject(const ThreadRow& head);

// Whether the caller may add and remove members and change the thread: its owners, services, staff. A direct
// thread has no owner.
bool MayManage(const Caller& caller, const Standing& standing);

// One of the two parties of the thread (thread_kinds.h): in a project, the two that a card binds.
bool IsParty(const ThreadRow& head, const std::optional<UserId>& user);

}  // namespace parley::threads
