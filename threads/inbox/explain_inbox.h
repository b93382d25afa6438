// Answers inbox.explain: breaks an unread number down.
#pragma once

#include "protocol/ops/inbox.h"
#include "threads/model/read_context.h"

namespace parley::threads {

ReadAnswer ExplainInbox(const ReadContext& context, const protocol::InboxExplain::Args& args);

}  // namespace parley::threads
