// thread.get, thread.open, thread.changes.
#pragma once

#include "protocol/ops/lifecycle.h"
#include "threads/model/read_context.h"

namespace parley::threads {

ReadAnswer GetThread(const ReadContext& context, const protocol::ThreadGet::Args& args);
ReadAnswer ListChanges(const ReadContext& context, const protocol::ThreadChanges::Args& args);

// thread.open without what only the gateway knows (presence), which fills in the rest of the reply.
Result<protocol::ThreadOpen::Reply> OpenThread(const ReadContext& context,
                                               const protocol::ThreadOpen::Args& args);

}  // namespace parley::threads
