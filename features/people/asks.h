// Serves other features: blocks a user as user.block does.
//
// Thread contract: the host's thread.
#pragma once

#include "features/host/operation.h"

namespace parley::features {

void BlockUser(Host& host, const threads::Caller& caller, const protocol::UserId& whom, Done done);

}  // namespace parley::features
