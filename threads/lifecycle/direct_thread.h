// A pair has one direct thread, whoever creates it, and however often: DIRECT# in the partition of the lower
// of the two ids names it. It is reserved where all reservations are written (executors.h), so of two who
// create it at the same moment the second finds it.
#pragma once

#include "threads/lifecycle/new_thread.h"
#include "threads/policy/judge.h"

namespace parley::threads {

// Where the pair's reservation leads: its thread may not be there yet, if a crash came between.
Result<std::optional<ThreadId>> FindDirect(Stage& stage, const TenantId& tenant, const Parties& pair);
void ReserveDirect(Stage& stage, const TenantId& tenant, const Parties& pair,
                   const ReservationRow& reservation);

// What thread.create answers: the thread as it stands, with the members that its head lists.
std::string CreatedReply(const Caller& caller, const ThreadRow& head,
                         const std::vector<ParticipantRow>& participants);
Result<std::vector<ParticipantRow>> ListedMembers(Stage& stage, const TenantId& tenant,
                                                  const ThreadRow& head);

// Appends firstMessage and remembers under the create's clientId that it was sent. That key is not the one of
// message.send: a clientId that named a creation is free for a send.
// Returns its msgNo, which the author's own row is to have. `only_for`: as of Draft::AppendMessage.
// REQUIRES: there is a firstMessage.
int64_t AppendFirst(Draft* draft, const Caller& caller, const CreateArgs& args, const Judged& judged,
                    protocol::IdSource* ids, const protocol::Omit<UserId>& only_for);

// firstMessage, sent to the direct thread that the two had before; nothing if an earlier create sent it.
Result<Decision> SendFirst(Stage& stage, const Caller& caller, const CreateArgs& args, const Judged& judged,
                           const ThreadId& thread);

}  // namespace parley::threads
