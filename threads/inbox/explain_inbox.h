// inbox.explain: how an unread number comes about.
#pragma once

#include "protocol/ops/inbox.h"
#include "threads/model/read_context.h"

namespace parley::threads {

ReadAnswer ExplainInbox(const ReadContext& context, const protocol::InboxExplain::Args& args);

}  // namespace parley::threads
