// thread.audit.
#pragma once

#include "protocol/ops/staff.h"
#include "threads/model/read_context.h"

namespace parley::threads {

ReadAnswer ListAudit(const ReadContext& context, const protocol::ThreadAudit::Args& args);

}  // namespace parley::threads
