// The reason why writes are rejected: set once, never cleared. After a failed write the store must be
// reopened before it is used again. Thread-safe.
#pragma once

#include <string>

#include "protocol/base/mutex.h"

namespace parley::storage {

class WriteFaultLatch {
 public:
  // Keeps the first reason.
  void Set(std::string why) EXCLUDES(mutex_) {
    protocol::MutexLock lock(&mutex_);
    if (why_.empty()) why_ = std::move(why);
  }
  // Empty while writes are accepted.
  std::string Get() const EXCLUDES(mutex_) {
    protocol::MutexLock lock(&mutex_);
    return why_;
  }

 private:
  mutable protocol::Mutex mutex_;
  std::string why_ GUARDED_BY(mutex_);
};

}  // namespace parley::storage
