// Clears away what deleted users leave (accounts/permissions/departure.h), step by step, so that others'
// writes come in between. What fails is left where it is, void as it is: the clock finds it again.
//
// Thread contract: the I/O thread's loop.
#pragma once

#include <functional>

#include "accounts/users/departed.h"
#include "features/host/host.h"

namespace parley::features {

void ClearDeparted(
    Host& host, const accounts::Departed& who, std::function<void()> then = [] {});

}  // namespace parley::features
