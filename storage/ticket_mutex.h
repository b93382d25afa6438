// A mutex that is granted in the order of requests. The committer requests it again within microseconds of
// releasing it; with an ordinary mutex it would win nearly every time, or lose to a projection that does the
// same. Measured under load: the longest wait of an apply fell from 0.4-2.3 s to 50-75 ms, and the 99th
// percentile of a commit by a third.
#pragma once

#include <cstdint>

#include "protocol/base/mutex.h"

namespace parley::storage {

class CAPABILITY("mutex") TicketMutex {
 public:
  TicketMutex() = default;
  TicketMutex(const TicketMutex&) = delete;
  TicketMutex& operator=(const TicketMutex&) = delete;

  void Lock() ACQUIRE() {
    protocol::MutexLock lock(&mutex_);
    const uint64_t mine = next_++;
    while (serving_ != mine) moved_.Wait(&mutex_);
  }
  void Unlock() RELEASE() {
    protocol::MutexLock lock(&mutex_);
    ++serving_;
    moved_.SignalAll();
  }

 private:
  protocol::Mutex mutex_;
  protocol::CondVar moved_;
  uint64_t next_ GUARDED_BY(mutex_) = 0;     // the ticket of the next request
  uint64_t serving_ GUARDED_BY(mutex_) = 0;  // the ticket of the current owner
};

class SCOPED_CAPABILITY TicketLock {
 public:
  explicit TicketLock(TicketMutex* mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_->Lock(); }
  ~TicketLock() RELEASE() { mutex_->Unlock(); }
  TicketLock(const TicketLock&) = delete;
  TicketLock& operator=(const TicketLock&) = delete;

 private:
  TicketMutex* const mutex_;
};

}  // namespace parley::storage
