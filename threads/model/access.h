// Who may do what in a thread. Rejections come in the order of protocol precedence: membership, then a known
// idempotency key (the commands check it between the two calls), then permission and the thread's status.
#pragma once

#include "protocol/base/result.h"
#include "threads/model/caller.h"
#include "threads/model/rows.h"

namespace parley::threads {

// The thread and the caller's own row in it, as far as they may know of them.
struct Standing {
  ThreadRow head;
  std::optional<ParticipantRow> me;  // present members only
  bool pair_reported = false;  // the caller is a party, and a safety report is open between the two somewhere
};

protocol::Error NotMember();

// Whether a caller who may read the thread may see an item that is only for one user: that user may, and so
// may staff and services that do not act as a user. A report is not shown to the person it is about.
bool MaySee(const Caller& caller, const protocol::Omit<UserId>& only_for);

// THREAD_NOT_MEMBER unless the caller is a member, staff, or a service that does not act as a user. Staff
// that is bound to cases needs an open case in the thread. The answer is the same for a thread that does not
// exist.
protocol::Result<Standing> RequireStanding(const Caller& caller, std::optional<ThreadRow> head,
                                           std::optional<ParticipantRow> me);

// The same, and FORBIDDEN for viewers who are not members.
protocol::Status RequireParticipant(const Standing& standing);

// FORBIDDEN below `needed`.
protocol::Status RequirePermission(const Standing& standing, protocol::Permission needed);

// THREAD_LOCKED or THREAD_ARCHIVED unless the thread is open.
protocol::Status RequireOpen(const ThreadRow& head);

// FORBIDDEN except in projects: only they have cards and the panel.
protocol::Status RequireProject(const ThreadRow& head);

// Whether the caller may add and remove members and change the thread: its owners, services, staff. A direct
// thread has no owner.
bool MayManage(const Caller& caller, const Standing& standing);

// One of the two parties of the thread (thread_kinds.h): in a project, the two that a card binds.
bool IsParty(const ThreadRow& head, const std::optional<UserId>& user);

// SAFETY_SOFT_BLOCK while a safety report is open between the caller and the other party: neither may write
// to the other, by whatever op. A card of a `type` that is about safety or a dispute is exempt.
protocol::Status RequireNoSafetyReport(const Standing& standing, const Caller& caller,
                                       std::string_view type = {});

}  // namespace parley::threads
