// Sends one message to each leg thread of an LBG. This spans partitions, so it starts with a reservation
// under the author and the clientId, which fixes the threads. Then the message is sent to each thread
// separately, with the same clientId; a repeat finds the reservation and sends to the remaining threads.
#pragma once

#include "threads/messages/broadcast_args.h"
#include "threads/messages/send_message.h"

namespace parley::threads {

// Fixes the threads: those of an earlier reservation, or else `threads`. Answers with their ULIDs, 16 bytes
// each.
Result<Decision> ReserveBroadcast(Transaction& tx, const Caller& caller, const ThreadBroadcastArgs& args,
                                  const Result<std::vector<ThreadId>>& threads);
std::vector<ThreadId> ReservedThreads(std::string_view answer);

// Sends to one of `threads` threads and answers like message.send. Unless there is only one, the message
// carries the mark of a broadcast.
Result<Decision> SendBroadcast(Transaction& tx, const Caller& caller, const ThreadBroadcastArgs& args,
                               const ThreadId& thread, size_t threads, const Judged& judged = {});

// Checks everything that does not depend on state.
protocol::Status CheckBroadcast(const Caller& caller, const ThreadBroadcastArgs& args);

// The leg threads of the LBG that receive the message: those with the author as a member. The author must be
// an owner of each, unless a service acts for them.
Result<std::vector<ThreadId>> BroadcastThreads(const Caller& caller, const std::vector<Standing>& legs);

}  // namespace parley::threads
