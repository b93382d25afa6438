// Reads the derived tables: pages of the inbox and of projects. Results are exact as of the projection's
// position; the caller waits for that first (Watermark), so that a page includes everything acknowledged
// before its request.
//
// Thread contract: any thread, each call over the one snapshot of its context.
#pragma once

#include <string>

#include "protocol/ops/cards.h"
#include "protocol/ops/inbox.h"
#include "protocol/ops/lifecycle.h"
#include "threads/model/read_context.h"

namespace parley::fanout {

threads::ReadAnswer ListInbox(const threads::ReadContext& context, const protocol::InboxList::Args& args);
// Returns the totals of the folders in `offered`, whose bit n is protocol::Folder n.
threads::Result<protocol::InboxCounts::Reply> CountFolders(const threads::ReadContext& context,
                                                           uint32_t offered);
threads::ReadAnswer ListByProject(const threads::ReadContext& context,
                                  const protocol::ThreadByProject::Args& args);
// Returns the project threads that are bound to both the LBG and a leg and that the caller may see, oldest
// first, at most `limit`.
threads::Result<std::vector<threads::Standing>> LegThreadsOf(const threads::ReadContext& context,
                                                             const protocol::LbgId& lbg, size_t limit);

threads::ReadAnswer ListOutbox(const threads::ReadContext& context, const protocol::OutboxList::Args& args);

}  // namespace parley::fanout
