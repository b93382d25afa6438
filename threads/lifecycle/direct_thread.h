// A pair has one direct thread, whoever creates it, and however often: DIRECT# in the partition of the lower
// of the two ids names it. It is reserved where all reservations are written (executors.h), so of two who
// create it at the same moment the second finds it.
#pragma once

#include "threads/judge/judge.h"
#include "threads/lifecycle/new_thread.h"

namespace parley::threads {

// Where the pair's reservation leads: its thread may not be there yet, if a crash came between.
Result<std::optional<ThreadId>> FindDirect(Transaction& tx, const TenantId& tenant, const Parties& pair);
void ReserveDirect(Transaction& tx, const TenantId& tenant, const Parties& pair,
                   const ReservationRow& reservation);

// What thread.create answers: the thread as it stands, with the members that its head lists.
std::string CreatedReply(const Caller& caller, const ThreadRow& head,
                         const std::vector<ParticipantRow>& participants);
Result<std::vector<ParticipantRow>> ListedMembers(Transaction& tx, const TenantId& tenant,
                                                  const ThreadRow& head);

// Appends firstMessage and, if `remembers`, remembers under the create's clientId that it was sent. That key
// is not the one of message.send: a clientId that named a creation is free for a send. Returns its msgNo,
// which the author's own row is to have. `only_for`: as of Draft::AppendMessage. REQUIRES: there is a
// firstMessage.
int64_t AppendFirst(Draft* draft, const Caller& caller, const CreateArgs& args, const Judged& judged,
                    protocol::IdSource* ids, const protocol::Omit<UserId>& only_for, bool remembers);

// A create that says nothing is remembered, too, under the same key.
void RememberCreated(Draft* draft, const Caller& caller, const CreateArgs& args);

// Whether the request in the pair's thread may be another one if this user comes back to the thread: it did
// not let them in, or them to the other, and they are not the one who has yet to answer it.
bool MayReopen(const ThreadRow& head, const UserId& user, Time now);

// The caller creates the direct thread, or the inquiry without a role, that the two had before. firstMessage
// is sent there. Where a request kept the two apart:
// - whoever was asked, and did not let the other in, lets them in by this;
// - whoever asked asks once more if the time of the request is over, which is a start but costs no credits,
//   as the conversation is the same;
// - if the two got to know each other meanwhile, nobody needs to be asked any more.
// A repeat of an earlier create does nothing of it.
Result<Decision> ComeBack(Transaction& tx, const Caller& caller, const CreateArgs& args, const Judged& judged,
                          const ThreadId& thread);

}  // namespace parley::threads
