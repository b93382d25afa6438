// Lists the rows of the ops on cards and their outbox.
//
// Thread contract: any thread.
#pragma once

#include "threads/run/operation.h"

namespace parley::threads {

Operations CardOperations();

}  // namespace parley::threads
