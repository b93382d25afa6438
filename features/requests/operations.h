// The rows of the ops on message requests: contact filters, and the counts of the inbox, which show credits.
// Blocks the author of a request that is answered with request.block.
//
// Thread contract: any thread.
#pragma once

#include "features/host/operation.h"

namespace parley::features {

Operations RequestOperations();
std::span<const Followup> RequestFollowups();

// Each from the file that handles it.
Operation GetFilterOp();
Operation SetFilterOp();

}  // namespace parley::features
