// Lists the rows of the ops on threads.
//
// Thread contract: any thread.
#pragma once

#include "threads/run/operation.h"

namespace parley::threads {

Operations LifecycleOperations();

}  // namespace parley::threads
