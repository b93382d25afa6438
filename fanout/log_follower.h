// What follows the change log beside the projections, with a place of its own, and writes elsewhere than they
// do. The worker steps it, and keeps the log until it has no more use for it.
//
// Thread contract: everything on the worker's thread; Open before its first step.
#pragma once

#include "storage/table.h"

namespace parley::fanout {

class LogFollower {
 public:
  virtual ~LogFollower() = default;
  virtual storage::Status Open() = 0;
  // False: there is nothing to do, or what it waits for will wake the worker.
  virtual bool Step() = 0;
  // Whether it could not go on and is to be stepped again in a while, without being woken.
  virtual bool stuck() const = 0;
  // Whether somebody waits for it to get further.
  virtual bool awaited() const = 0;
  // Entries up to here are never read again, whatever happens.
  virtual storage::Position saved() const = 0;
  // The worker ends: what is only in memory is saved where that is cheap.
  virtual void Save() = 0;
};

}  // namespace parley::fanout
