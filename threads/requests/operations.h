// Lists the rows of the ops on message requests.
//
// Thread contract: any thread.
#pragma once

#include "threads/run/operation.h"

namespace parley::threads {

Operations RequestOperations();

}  // namespace parley::threads
