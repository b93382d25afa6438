// The descriptions of the ops that read the derived indexes.
//
// Thread contract: any thread.
#pragma once

#include "threads/run/operation.h"

namespace parley::fanout {

threads::Operations IndexOperations();

}  // namespace parley::fanout
