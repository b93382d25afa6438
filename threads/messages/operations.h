// Lists the rows of the ops on messages.
//
// Thread contract: any thread.
#pragma once

#include "threads/run/operation.h"

namespace parley::threads {

Operations MessageOperations();

}  // namespace parley::threads
