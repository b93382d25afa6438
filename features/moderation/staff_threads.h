// moderation.threads: which threads there are, for staff who know of none. Those of one user are found by the
// inbox index (the caller waits for it first), those with an open case by the cases, all others by their
// rows. A page looks at a bounded number of threads, so it may be short although others follow.
//
// Thread contract: any thread, each call over the one snapshot of its context.
#pragma once

#include "accounts/records/records.h"
#include "features/moderation/ops.h"
#include "threads/model/read_context.h"

namespace parley::features {

// FORBIDDEN but for staff and services without a user. Staff that is bound to cases is shown threads with an
// open case only.
threads::ReadAnswer ListThreads(const threads::ReadContext& context, const accounts::RecordReads& records,
                                const ModerationThreads::Args& args);

}  // namespace parley::features
