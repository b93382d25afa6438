// The complete list of ops: those of the core and those of every feature. A feature with ops adds its list.
#pragma once

#include "features/broadcast/ops.h"
#include "features/files/ops.h"
#include "features/moderation/ops.h"
#include "features/people/ops.h"
#include "features/requests/ops.h"
#include "protocol/ops/all.h"

namespace parley::features {

using AllOps =
    protocol::JoinedOps<protocol::CoreOps, PeopleOps, ModerationOps, RequestOps, BroadcastOps, FileOps>;

}  // namespace parley::features
