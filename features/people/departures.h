// Removes the rows of deleted users (accounts/permissions/departure.h) in slices, so that other requests are
// decided in between. Rows that could not be removed are void already; the sweeper finds them again.
//
// Thread contract: the host's thread.
#pragma once

#include <functional>

#include "accounts/users/departed.h"
#include "features/host/host.h"

namespace parley::features {

void ClearDeparted(
    Host& host, const accounts::Departed& who, std::function<void()> then = [] {});

}  // namespace parley::features
