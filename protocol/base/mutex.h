// A mutex that the compiler checks: members name the mutex that guards them (GUARDED_BY), functions name the
// mutex that they need (REQUIRES), and clang's -Wthread-safety rejects violations. g++ ignores all this.
//
//   Mutex mutex_;
//   int count_ GUARDED_BY(mutex_) = 0;
//   void Add() { MutexLock lock(&mutex_); ++count_; }
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define PARLEY_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define PARLEY_THREAD_ANNOTATION(x)
#endif

#define CAPABILITY(name) PARLEY_THREAD_ANNOTATION(capability(name))
#define SCOPED_CAPABILITY PARLEY_THREAD_ANNOTATION(scoped_lockable)
#define GUARDED_BY(mutex) PARLEY_THREAD_ANNOTATION(guarded_by(mutex))
#define PT_GUARDED_BY(mutex) PARLEY_THREAD_ANNOTATION(pt_guarded_by(mutex))
#define REQUIRES(...) PARLEY_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) PARLEY_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) PARLEY_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define RELEASE(...) PARLEY_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define ASSERT_CAPABILITY(x) PARLEY_THREAD_ANNOTATION(assert_capability(x))
#define NO_THREAD_SAFETY_ANALYSIS PARLEY_THREAD_ANNOTATION(no_thread_safety_analysis)

namespace parley::protocol {

class CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() ACQUIRE() { mutex_.lock(); }
  void Unlock() RELEASE() { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

// Locks a mutex for a scope.
class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex* mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_->Lock(); }
  ~MutexLock() RELEASE() { mutex_->Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* const mutex_;
};

// Wait in a loop that tests the condition: a wait may end without a signal.
class CondVar {
 public:
  void Wait(Mutex* mutex) REQUIRES(mutex) {
    std::unique_lock<std::mutex> held(mutex->mutex_, std::adopt_lock);
    condition_.wait(held);
    held.release();
  }
  // Returns false if `deadline` passed first.
  bool WaitUntil(Mutex* mutex, std::chrono::steady_clock::time_point deadline) REQUIRES(mutex) {
    std::unique_lock<std::mutex> held(mutex->mutex_, std::adopt_lock);
    const bool signalled = condition_.wait_until(held, deadline) == std::cv_status::no_timeout;
    held.release();
    return signalled;
  }
  void Signal() { condition_.notify_one(); }
  void SignalAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace parley::protocol
