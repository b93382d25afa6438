// Answers message.history, which shows staff a message as it was before its edits.
#pragma once

#include "protocol/ops/staff.h"
#include "threads/model/read_context.h"

namespace parley::threads {

ReadAnswer ListHistory(const ReadContext& context, const protocol::MessageHistory::Args& args);

}  // namespace parley::threads
