// One message into each leg thread of an LBG. It spans partitions, so it is reserved first: a reservation
// under the author and the clientId fixes the threads that it goes to. Then it is sent to each thread
// separately, under the same clientId; a repeat finds the reservation and completes what is missing.
#pragma once

#include "threads/messages/send_message.h"

namespace parley::threads {

// Fixes the threads: those reserved before, or else `threads`. Answers their ULIDs, 16 bytes each.
Result<Decision> ReserveBroadcast(Transaction& tx, const Caller& caller,
                                  const protocol::ThreadBroadcast::Args& args,
                                  const Result<std::vector<ThreadId>>& threads);
std::vector<ThreadId> ReservedThreads(std::string_view answer);

// Sends to one of `threads`. Answers like message.send. The message says that it went to all of them, unless
// there is only one.
Result<Decision> SendBroadcast(Transaction& tx, const Caller& caller,
                               const protocol::ThreadBroadcast::Args& args, const ThreadId& thread,
                               size_t threads, const Judged& judged = {});

// The checks that do not depend on state.
protocol::Status CheckBroadcast(const Caller& caller, const protocol::ThreadBroadcast::Args& args);

// The leg threads of the LBG that it goes to: those of which the author is a member. The author must be an
// owner of each, unless a service acts for them.
Result<std::vector<ThreadId>> BroadcastThreads(const Caller& caller, const std::vector<Standing>& legs);

}  // namespace parley::threads
