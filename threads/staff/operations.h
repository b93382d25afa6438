// Lists the rows of staff's ops on threads.
//
// Thread contract: any thread.
#pragma once

#include "threads/run/operation.h"

namespace parley::threads {

Operations StaffOperations();

}  // namespace parley::threads
