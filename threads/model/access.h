// Who may do what in a thread. Rejections come in the order of protocol precedence: membership, then a known
// idempotency key (the commands look at it between the two calls), then permission and the thread's status.
#pragma once

#include "protocol/base/result.h"
#include "threads/model/caller.h"
#include "threads/model/rows.h"

namespace parley::threads {

// The thread and the caller's own row in it, as far as he may know of them.
struct Standing {
  ThreadRow head;
  std::optional<ParticipantRow> me;  // present members only
  bool pair_reported = false;  // the caller is a party, and a safety report is open between the two somewhere
};

protocol::Error NotMember();

// Whether one who may read the thread may see an item that is only for that user: they, staff, and services
// that act for nobody. A report is not shown to whom it is about.
bool MaySee(const Caller& caller, const protocol::Omit<UserId>& only_for);

// THREAD_NOT_MEMBER unless the caller is a member, staff, or a service that acts for nobody; where staff is
// bound to cases, there must be one open in the thread. The same answer for a thread that does not exist.
protocol::Result<Standing> RequireStanding(const Caller& caller, std::optional<ThreadRow> head,
                                           std::optional<ParticipantRow> me);

// The same, and FORBIDDEN for those who look on without being members.
protocol::Status RequireParticipant(const Standing& standing);

// FORBIDDEN below `needed`.
protocol::Status RequirePermission(const Standing& standing, protocol::Permission needed);

// THREAD_LOCKED or THREAD_ARCHIVED unless the thread is open.
protocol::Status RequireOpen(const ThreadRow& head);

// FORBIDDEN but for projects: cards and the panel are theirs.
protocol::Status RequireProject(const ThreadRow& head);

// Adds and removes members, changes the thread: its owners, services, staff. A direct thread has no owner.
bool MayManage(const Caller& caller, const Standing& standing);

// One of the two that the thread is between (thread_kinds.h): of a project, the two that a card binds.
bool IsParty(const ThreadRow& head, const std::optional<UserId>& user);

// SAFETY_SOFT_BLOCK while a safety report is open between the caller and the other party: neither writes to
// the other, by whatever op. A card of `type` that is about safety or a dispute is exempt.
protocol::Status RequireNoSafetyReport(const Standing& standing, const Caller& caller,
                                       std::string_view type = {});

}  // namespace parley::threads
