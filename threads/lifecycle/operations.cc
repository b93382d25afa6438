#include "threads/lifecycle/operations.h"

#include "threads/lifecycle/create_thread.h"
#include "threads/lifecycle/set_booking.h"
#include "threads/lifecycle/thread_reads.h"
#include "threads/lifecycle/update_thread.h"
#include "threads/run/write_op.h"

namespace parley::threads {

Operations LifecycleOperations() {
  static const Operation rows[] = {
      ReadOp<protocol::ThreadGet, GetThread>(),
      ReadOp<protocol::ThreadChanges, ListChanges>(),
      WriteOp<CreateThread>(Waits::kStrangers),
      WriteOp<UpdateThread>(),
      WriteOp<PromoteThread>(),
      WriteOp<SetBooking>(),
  };
  return rows;
}

}  // namespace parley::threads
