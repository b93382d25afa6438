#include "threads/clock/operations.h"

#include "threads/clock/schedule_thread.h"
#include "threads/run/write_op.h"

namespace parley::threads {

Operations ClockOperations() {
  static const Operation rows[] = {
      WriteOp<ScheduleThread>(),
  };
  return rows;
}

}  // namespace parley::threads
