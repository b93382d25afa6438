// thread.broadcast: finds the leg threads of an LBG, reserves them, and sends to each. On the loop's thread.
// `refusal`: the answer unless it repeats an earlier one (RouteRepeat).
#pragma once

#include "gateway/ops/router.h"

namespace parley::gateway {

void RouteBroadcast(IoThread& io, const threads::Caller& caller, protocol::ThreadBroadcast::Args args,
                    std::optional<protocol::Error> refusal, Done done);

}  // namespace parley::gateway
