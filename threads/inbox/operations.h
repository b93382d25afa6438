// Lists the rows of the ops on one entry of the inbox.
//
// Thread contract: any thread.
#pragma once

#include "threads/run/operation.h"

namespace parley::threads {

Operations InboxOperations();

}  // namespace parley::threads
