// Ops that write records of accounts/ and no thread's rows: decided by the item writer, and answered once
// they are on disk. An op is one of these if there is an overload for it here; router.cc asks.
//
// Thread contract: the I/O thread's thread.
#pragma once

#include "accounts/tenants/request_settings.h"
#include "gateway/ops/router.h"

namespace parley::gateway {

template <class Op>
struct OpTag {};

void WriteRecords(OpTag<protocol::ContactFilterSet>, IoThread& io, const threads::Caller& caller,
                  const protocol::ContactFilterSet::Args& args, Done done);

template <class Op>
concept WritesRecords = requires(IoThread& io, const threads::Caller& caller, const typename Op::Args& args,
                                 Done done) {
  WriteRecords(OpTag<Op>{}, io, caller, args, done);
};

protocol::FilterReply FilterReplyOf(const accounts::ContactFilter& filter);

}  // namespace parley::gateway
