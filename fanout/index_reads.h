// Reads of the derived tables: pages of the inbox and of projects. Exact as of the projection's position; the
// caller waits for it first (Watermark), so that a page includes everything acknowledged before it was asked
// for.
#pragma once

#include <string>

#include "protocol/ops.h"
#include "threads/reads.h"

namespace parley::fanout {

threads::ReadAnswer ListInbox(const threads::ReadContext& context, const protocol::InboxList::Args& args);
threads::ReadAnswer ListByProject(const threads::ReadContext& context,
                                  const protocol::ThreadByProject::Args& args);

threads::ReadAnswer ListOutbox(const threads::ReadContext& context, const protocol::OutboxList::Args& args);

}  // namespace parley::fanout
