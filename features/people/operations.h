// The rows of the ops on other users: blocks, names, presence.
//
// Thread contract: any thread.
#pragma once

#include "features/host/operation.h"

namespace parley::features {

Operations PeopleOperations();

// Each from the file that handles it.
Operation BlockOp();
Operation UnblockOp();
Operation PresenceOp();

}  // namespace parley::features
