// Finds the users who share a thread with the caller through the inbox index and the threads' heads. Unless a
// function says otherwise, wait for the inbox projection first, as for a page of the inbox. Thread contract:
// any thread.
#pragma once

#include <set>
#include <vector>

#include "threads/model/read_context.h"

namespace parley::fanout {

// Returns those of `users` who are in a thread with the caller, including the caller. Reads at most
// kSharedRowsMax rows, those of threads with the newest messages first, and omits users not found in them.
// REQUIRES: the caller is a user.
inline constexpr size_t kSharedRowsMax = 2000;
threads::Result<std::set<protocol::UserId>> WhoShareAThread(const threads::ReadContext& context,
                                                            std::set<protocol::UserId> users);

// Returns those of `users`, including the caller, who share a booking with the caller: a project that a
// service created or bound. Does not need the index to be current. REQUIRES: as above.
threads::Result<std::set<protocol::UserId>> WhoShareAProject(const threads::ReadContext& context,
                                                             std::set<protocol::UserId> users);

// Returns true if the two share neither a project nor a direct thread. Does not need the index to be current.
// REQUIRES: as above.
threads::Result<bool> AreStrangers(const threads::ReadContext& context, const protocol::UserId& other);

// Returns those of `users` whose presence the caller may see: users see no stranger's presence; staff and
// services without a user see everyone's.
threads::Result<std::set<protocol::UserId>> WhoseToSee(const threads::ReadContext& context,
                                                       std::set<protocol::UserId> users);

// Returns the threads in which the caller and the other are the two parties, within kSharedRowsMax. REQUIRES:
// as above.
threads::Result<std::vector<protocol::ThreadId>> ThreadsBetween(const threads::ReadContext& context,
                                                                const protocol::UserId& other);

}  // namespace parley::fanout
