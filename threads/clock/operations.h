// The rows of the ops on what the clock does in a thread.
//
// Thread contract: any thread.
#pragma once

#include "threads/run/operation.h"

namespace parley::threads {

Operations ClockOperations();

}  // namespace parley::threads
