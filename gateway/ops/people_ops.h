// The ops by which people keep each other away, and by which staff decide about one: decided by the item
// writer, and answered once they are on disk. router.cc asks whether an op is one of these.
//
// Thread contract: the I/O thread's thread.
#pragma once

#include "gateway/ops/router.h"

namespace parley::gateway {

void RouteRecords(IoThread& io, const threads::Caller& caller, const protocol::UserBlock::Args& args,
                  Done done);
void RouteRecords(IoThread& io, const threads::Caller& caller, const protocol::UserUnblock::Args& args,
                  Done done);
void RouteRecords(IoThread& io, const threads::Caller& caller, const protocol::ModerationUser::Args& args,
                  Done done);

// What request.block is answered after its command, whose reply it is: who asked is blocked, too. A crash
// between the two leaves a request that reads blocked; a repeat of the op completes it.
void BlockWhoAsked(IoThread& io, const threads::Caller& caller, const std::string& reply, Done done);

}  // namespace parley::gateway
