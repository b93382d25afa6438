// From an op's name and args to its handler: reads are answered from a snapshot, writes go to the executor.
// Used by sessions and by HTTP alike. A compile error, not a runtime one, tells when an op has no handler.
//
// Thread contract: Route on the I/O thread's thread; FindOp and CheckArgs on any.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "gateway/app/io_thread.h"
#include "gateway/app/node.h"
#include "protocol/ops/all.h"
#include "protocol/value.h"
#include "threads/model/caller.h"

namespace parley::protocol {
struct CompactShape;
}

namespace parley::gateway {

using Answer = threads::Answer;
using Done = std::function<void(Answer)>;  // on the I/O thread's thread, now or later; exactly once

struct OpInfo {
  protocol::OpKind kind;
  bool takes_client_id;                 // Idempotency-Key may stand for it
  bool awaits_projection;               // is answered once its index has caught up with what was acknowledged
  const protocol::CompactShape* pages;  // where its reply holds items that can be compact; nullptr: nowhere
  size_t index = 0;                     // its place in AllOps
};
// nullptr: no such op.
const OpInfo* FindOp(std::string_view op);

// Whether Route would take these args; for callers that answer with more than one fault in order.
protocol::Status CheckArgs(std::string_view op, const protocol::Value& args);

// Records that staff look into a thread by `op`; nothing where they are members. The answer's error, if any,
// is what to answer instead. `op` outlives the call: a name of FindOp's. `reason`: empty, if they gave none.
// REQUIRES: the caller is staff.
void RecordAccess(IoThread& io, const threads::Caller& caller, const protocol::ThreadId& thread,
                  std::string_view op, Done done, std::string reason = {});

// REQUIRES (both): FindOp(op) is a read or a write. A read that memory cannot answer goes by `road`; without
// one, straight to the pool.
void Route(IoThread& io, std::string_view op, const threads::Caller& caller, const protocol::Value& args,
           const ReadRoad& road, Done done);
// Of a write that is refused unless it repeats an earlier one: `refusal` is the answer in place of any
// change. REQUIRES: FindOp(op) takes a clientId.
void RouteRepeat(IoThread& io, std::string_view op, const threads::Caller& caller,
                 const protocol::Value& args, protocol::Error refusal, Done done);
void Route(IoThread& io, std::string_view op, const threads::Caller& caller, const protocol::Value& args,
           Done done);

}  // namespace parley::gateway
