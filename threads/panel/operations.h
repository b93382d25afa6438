// Lists the rows of the ops on the project panel.
//
// Thread contract: any thread.
#pragma once

#include "threads/run/operation.h"

namespace parley::threads {

Operations PanelOperations();

}  // namespace parley::threads
