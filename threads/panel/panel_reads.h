// Answers tab.get: one tab of the panel, as its reader may see it.
#pragma once

#include "protocol/ops/panel.h"
#include "threads/model/read_context.h"

namespace parley::threads {

ReadAnswer GetTab(const ReadContext& context, const protocol::TabGet::Args& args);

}  // namespace parley::threads
