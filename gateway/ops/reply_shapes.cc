#include "gateway/ops/reply_shapes.h"

#include "features/ops.h"

namespace parley::gateway {

const protocol::ReplyShapes& AllReplyShapes() {
  static const protocol::ReplyShapes all = protocol::ReplyShapesOf(features::AllOps{});
  return all;
}

const protocol::CompactShape* ReplyShape(std::string_view op) {
  const auto found = AllReplyShapes().find(op);
  return found == AllReplyShapes().end() ? nullptr : &found->second;
}

}  // namespace parley::gateway
