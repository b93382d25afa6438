// Lets the threads of two users show a block, or that there is none any more (threads/engine/block_marks.h).
//
// Thread contract: the I/O thread's thread, on which `then` is called, too.
#pragma once

#include <functional>

#include "gateway/app/io_thread.h"

namespace parley::gateway {

// In all threads of `by` in which the two are parties, as far as one read finds them; then tells `then`
// whether all of them show it. The block itself is on disk already, and holds; where it does not show, a
// repeat puts that right.
void MarkBlocks(IoThread& io, const protocol::TenantId& tenant, const protocol::UserId& by,
                const protocol::UserId& whom, std::function<void(bool)> then);

}  // namespace parley::gateway
