// The position that a projection has reached, and the callers that wait for it.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "protocol/base/mutex.h"
#include "storage/table.h"

namespace parley::fanout {

// Thread contract: Advance on the worker's thread, the other functions on any.
class Watermark {
 public:
  storage::Position position() const;
  // A waiter and its position; unique.
  using Token = std::pair<storage::Position, uint64_t>;
  // Calls `reached` when the projection has reached `position`: at once, or later on the worker's thread.
  Token WhenAt(storage::Position position, std::function<void()> reached);
  // Removes the waiter. It will not be called, unless the call is under way already.
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
