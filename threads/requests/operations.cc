#include "threads/requests/operations.h"

#include "threads/requests/answer_request.h"
#include "threads/run/write_op.h"

namespace parley::threads {

Operations RequestOperations() {
  static const Operation rows[] = {
      WriteOp<AcceptRequest>(),
      WriteOp<DeclineRequest>(),
      WriteOp<BlockRequest>(),
  };
  return rows;
}

}  // namespace parley::threads
