// Finds the users who share a thread with the caller, by the inbox index and the heads of its threads. The
// caller waits for the inbox projection first, as for a page of the inbox. Thread contract: any thread.
#pragma once

#include <set>
#include <vector>

#include "threads/model/read_context.h"

namespace parley::fanout {

// Those of `users` who are in a thread with the caller now, including the caller. Reads at most
// kSharedRowsMax rows, threads with the newest messages first: users not found among those are left out.
// REQUIRES: the caller is a user.
inline constexpr size_t kSharedRowsMax = 2000;
threads::Result<std::set<protocol::UserId>> WhoShareAThread(const threads::ReadContext& context,
                                                            std::set<protocol::UserId> users);

// Returns those of `users`, the caller included, who share a booking with the caller: a project that a
// service made or bound. Reads the index as it stands, without waiting for it. REQUIRES: as above.
threads::Result<std::set<protocol::UserId>> WhoShareAProject(const threads::ReadContext& context,
                                                             std::set<protocol::UserId> users);

// Whether the caller and the other share neither a project nor a direct thread, by the index as it stands,
// without waiting for it. REQUIRES: as above.
threads::Result<bool> AreStrangers(const threads::ReadContext& context, const protocol::UserId& other);

// Returns those of `users` whose presence the caller may see: users see no stranger's presence; staff and
// services without a user see everyone's.
threads::Result<std::set<protocol::UserId>> WhoseToSee(const threads::ReadContext& context,
                                                       std::set<protocol::UserId> users);

// The threads between the caller and the other: those in which they are the two parties, within
// kSharedRowsMax as above. REQUIRES: as above.
threads::Result<std::vector<protocol::ThreadId>> ThreadsBetween(const threads::ReadContext& context,
                                                                const protocol::UserId& other);

}  // namespace parley::fanout
