// A watermark: the position that a projection has reached, and callers that wait for one.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "protocol/base/mutex.h"
#include "storage/table.h"

namespace parley::fanout {

// A projection's position and its waiters. Thread contract: Advance on the worker's thread, the others on
// any.
class Watermark {
 public:
  storage::Position position() const;
  // A waiter and its position; unique.
  using Token = std::pair<storage::Position, uint64_t>;
  // Calls `reached` once the projection is at or beyond `position`: at once, or later on the worker's thread.
  Token WhenAt(storage::Position position, std::function<void()> reached);
  // Removes the waiter: it is not called from now on, though a call may be under way.
  void Forget(const Token& token);
  void Advance(storage::Position position);
  bool awaited() const;

 private:
  mutable protocol::Mutex mutex_;
  storage::Position position_ GUARDED_BY(mutex_) = 0;
  std::map<Token, std::function<void()>> waiting_ GUARDED_BY(mutex_);
  uint64_t last_ GUARDED_BY(mutex_) = 0;
};

}  // namespace parley::fanout
