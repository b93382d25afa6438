// Makes the threads of two users show that one blocks the other, or no longer does
// (threads/contacts/block_marks.h).
//
// Thread contract: the host's thread, on which `then` is called, too.
#pragma once

#include <functional>

#include "features/host/host.h"

namespace parley::features {

// Updates all threads of `by` in which the two are parties and which one read finds, and reports whether all
// of them show it. The block is on disk and in force already; a repeat updates threads that failed.
void MarkBlocks(Host& host, const protocol::TenantId& tenant, const protocol::UserId& by,
                const protocol::UserId& whom, std::function<void(bool)> then);

}  // namespace parley::features
