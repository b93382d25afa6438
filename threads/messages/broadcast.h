// One message into each leg thread of an LBG. It spans partitions, so it is reserved first: under the author
// and the clientId it is settled which threads it goes to. Then each is sent to, by itself and under the same
// clientId; a repeat finds the reservation and completes what is missing.
#pragma once

#include "threads/messages/send_message.h"

namespace parley::threads {

// Settles the threads: those reserved before, or else `threads`. Answers their ULIDs, 16 bytes each.
Result<Decision> ReserveBroadcast(Stage& stage, const Caller& caller,
                                  const protocol::ThreadBroadcast::Args& args,
                                  const Result<std::vector<ThreadId>>& threads);
std::vector<ThreadId> ReservedThreads(std::string_view answer);

// Sends to one of `threads`. Answers as message.send. The message says that it went to all of them, unless it
// is the only one.
Result<Decision> SendBroadcast(Stage& stage, const Caller& caller,
                               const protocol::ThreadBroadcast::Args& args, const ThreadId& thread,
                               size_t threads);

// What does not depend on state.
protocol::Status CheckBroadcast(const Caller& caller, const protocol::ThreadBroadcast::Args& args);

// Which of the LBG's leg threads it goes to: those that the author is a member of, each of which they must
// own; a service that acts for them need not ask.
Result<std::vector<ThreadId>> BroadcastThreads(const Caller& caller, const std::vector<Standing>& legs);

}  // namespace parley::threads
