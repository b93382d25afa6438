// Carries out ops: from a name and arguments to the op's row (threads/run/operation.h), and from there to a
// read of a snapshot, a decision of an executor, or a feature's own handler. Sessions and HTTP both use it.
// The server does not start if an op has no row, or two.
//
// Thread contract: Route on the I/O thread's thread; FindOp and CheckArgs on any.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "features/host/operation.h"
#include "gateway/app/io_thread.h"
#include "protocol/ops/base.h"
#include "protocol/value.h"
#include "threads/model/caller.h"

namespace parley::protocol {
struct CompactShape;
}

namespace parley::gateway {

using features::Done;
using threads::Answer;

struct OpInfo {
  protocol::OpKind kind;
  bool takes_client_id;    // Idempotency-Key can replace it
  bool awaits_projection;  // waits until its index includes every acknowledged write
  const protocol::CompactShape*
      pages;         // where its reply holds items that can be compact; nullptr: it holds none
  size_t index = 0;  // its place in features::AllOps
};
// Returns nullptr if there is no such op.
const OpInfo* FindOp(std::string_view op);

// Whether Route would accept these args; for callers that report several faults in a fixed order.
protocol::Status CheckArgs(std::string_view op, const protocol::Value& args);

// A read that memory cannot answer waits by `road`; without one, in the pool's queue. REQUIRES (both):
// FindOp(op) is a read or a write.
void Route(IoThread& io, std::string_view op, const threads::Caller& caller, const protocol::Value& args,
           const ReadRoad& road, Done done, threads::TracePtr trace = {});
// Answers a write as before if it repeats an earlier one, and otherwise with `refusal`, and changes nothing.
// REQUIRES: FindOp(op) takes a clientId.
void RouteRepeat(IoThread& io, std::string_view op, const threads::Caller& caller,
                 const protocol::Value& args, protocol::Error refusal, Done done,
                 threads::TracePtr trace = {});
void Route(IoThread& io, std::string_view op, const threads::Caller& caller, const protocol::Value& args,
           Done done, threads::TracePtr trace = {});

}  // namespace parley::gateway
