// Interface of a follower of the change log beside the projections, with a position of its own and its own
// rows. The worker steps it, and keeps the log as long as the follower needs it.
//
// Thread contract: everything on the worker's thread; Open before its first step.
#pragma once

#include "storage/table.h"

namespace parley::fanout {

class LogFollower {
 public:
  virtual ~LogFollower() = default;
  virtual storage::Status Open() = 0;
  // Returns false if it has nothing to do, or waits for an event that wakes the worker.
  virtual bool Step() = 0;
  // Returns true if its last step failed, so that the worker retries after a pause without being woken.
  virtual bool stuck() const = 0;
  // Returns true if a caller waits for its progress.
  virtual bool awaited() const = 0;
  // Returns the position up to which entries are never read again, even after a crash.
  virtual storage::Position saved() const = 0;
  // Called when the worker ends: saves in-memory state if that is cheap.
  virtual void Save() = 0;
};

}  // namespace parley::fanout
