// Lists the rows of the ops on scheduled times of a thread.
//
// Thread contract: any thread.
#pragma once

#include "threads/run/operation.h"

namespace parley::threads {

Operations ClockOperations();

}  // namespace parley::threads
