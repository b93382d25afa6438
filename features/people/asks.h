// Serves other features and the routes of users: blocks a user as user.block does, and removes the rows of
// deleted users.
//
// Thread contract: the host's thread.
#pragma once

#include <functional>

#include "accounts/users/departed.h"
#include "features/host/operation.h"

namespace parley::features {

void BlockUser(Host& host, const threads::Caller& caller, const protocol::UserId& whom, Done done);

// Removes the rows of a deleted user (departures.h) in slices, so that other requests are
// decided in between. Rows that could not be removed are void already; the sweeper finds them again.
void ClearDeparted(
    Host& host, const accounts::Departed& who, std::function<void()> then = [] {});

}  // namespace parley::features
