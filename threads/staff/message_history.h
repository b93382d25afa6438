// message.history: staff read what a message said before its edits.
#pragma once

#include "protocol/ops/staff.h"
#include "threads/model/read_context.h"

namespace parley::threads {

ReadAnswer ListHistory(const ReadContext& context, const protocol::MessageHistory::Args& args);

}  // namespace parley::threads
