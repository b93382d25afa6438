// thread.broadcast: finds the leg threads of an LBG, reserves them, and sends to each. On the loop's thread.
#pragma once

#include "gateway/router.h"

namespace parley::gateway {

void RouteBroadcast(Lane& lane, const threads::Caller& caller, protocol::ThreadBroadcast::Args args,
                    Done done);

}  // namespace parley::gateway
