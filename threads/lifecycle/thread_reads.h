// Answers thread.get, thread.open and thread.changes.
#pragma once

#include "protocol/ops/lifecycle.h"
#include "threads/model/read_context.h"

namespace parley::threads {

ReadAnswer GetThread(const ReadContext& context, const protocol::ThreadGet::Args& args);
ReadAnswer ListChanges(const ReadContext& context, const protocol::ThreadChanges::Args& args);

// Answers thread.open except for presence, which the gateway fills in.
Result<protocol::ThreadOpen::Reply> OpenThread(const ReadContext& context,
                                               const protocol::ThreadOpen::Args& args);

}  // namespace parley::threads
