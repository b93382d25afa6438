// The compact form of the replies to all ops.
#pragma once

#include <string_view>

#include "protocol/ops/compact_replies.h"

namespace parley::gateway {

// Any thread.
const protocol::ReplyShapes& AllReplyShapes();

// The fields of a reply that are pages; nullptr if it has no pages. Any thread.
const protocol::CompactShape* ReplyShape(std::string_view op);

}  // namespace parley::gateway
