// The one direct thread of a pair, which DIRECT# in the partition of the lower of the two ids names. All
// reservations are written by one executor (engine/executors.h), so of two users who create it at the same
// moment the second finds it.
#pragma once

#include "threads/judge/judge.h"
#include "threads/lifecycle/new_thread.h"

namespace parley::threads {

// The thread that the pair's reservation names. The thread may not exist yet, if a crash came between.
Result<std::optional<ThreadId>> FindDirect(Transaction& tx, const TenantId& tenant, const Parties& pair);
void ReserveDirect(Transaction& tx, const TenantId& tenant, const Parties& pair,
                   const ReservationRow& reservation);

// The reply of thread.create: the thread in its present state, with the members that its head lists.
std::string CreatedReply(const Caller& caller, const ThreadRow& head,
                         const std::vector<ParticipantRow>& participants);
Result<std::vector<ParticipantRow>> ListedMembers(Transaction& tx, const TenantId& tenant,
                                                  const ThreadRow& head);

// Appends firstMessage and, if `remembers`, stores under the create's clientId that it was sent. That key
// differs from message.send's, so the clientId of a creation may be used for a send. Returns its msgNo, which
// the caller must store in the author's own row. `only_for`: as in Draft::AppendMessage. REQUIRES: there is a
// firstMessage.
int64_t AppendFirst(Draft* draft, const Caller& caller, const CreateArgs& args, const Judged& judged,
                    protocol::IdSource* ids, const protocol::Omit<UserId>& only_for, bool remembers);

// Stores the answer of a creation without a firstMessage under the same key.
void RememberCreated(Draft* draft, const Caller& caller, const CreateArgs& args);

// Whether the user may reopen the request in the pair's thread by returning to it: the request did not let
// them or the other user in, and they are not the receiver of a pending one.
bool MayReopen(const ThreadRow& head, const UserId& user, Time now);

// Handles the creation of a direct thread, or of an inquiry without a role, that the pair has already. Sends
// firstMessage there. If a request kept the two apart:
// - its receiver, who did not let the other in, lets them in by this;
// - its author asks again if the request has expired, which is a start but costs no credits, as
//   the conversation is the same;
// - if the two have become acquainted since, no request is needed any more.
// The repeat of an earlier creation does none of this.
Result<Decision> ComeBack(Transaction& tx, const Caller& caller, const CreateArgs& args, const Judged& judged,
                          const ThreadId& thread);

}  // namespace parley::threads
