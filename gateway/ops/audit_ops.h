// moderation.audit: pages of the tenant's audit chain. The look itself is on record before anything is shown,
// and what staff did in threads and was acknowledged is in the chain by then.
//
// Thread contract: RouteAudit on the I/O thread's thread.
#pragma once

#include "gateway/ops/router.h"
#include "protocol/ops/audit.h"

namespace parley::gateway {

void RouteAudit(IoThread& io, const threads::Caller& caller, protocol::ModerationAudit::Args args,
                const ReadRoad& road, Done done);

}  // namespace parley::gateway
