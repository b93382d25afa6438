// The rows of the ops on staff in threads.
//
// Thread contract: any thread.
#pragma once

#include "threads/run/operation.h"

namespace parley::threads {

Operations StaffOperations();

}  // namespace parley::threads
