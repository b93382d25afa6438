// What is committed and not yet projected, and whether it may wait: a thread that is written to often then
// moves its members' entries once for many messages, and somebody who only hears a thread's events never
// needs its entry. It may not wait when the projection is the only way to hear of it, when it is so much that
// whoever reads next would notice, or when somebody reads (Worker::Hurry).
//
// Thread contract: Note by one committing thread at a time; Begin on the worker's thread; presses on any.
#pragma once

#include <atomic>
#include <bitset>
#include <cstddef>
#include <cstdint>

#include "threads/model/change.h"

namespace parley::fanout {

class Backlog {
 public:
  // Bounds how long a read waits for what was left: some tens of milliseconds.
  static constexpr size_t kEntriesMost = 2048;
  static constexpr size_t kMembersMost = 1500;

  void Note(const threads::CommittedChange& change);
  void Press() { presses_.store(true, std::memory_order_release); }
  // A pass begins, which takes everything that was noted.
  void Begin();
  bool presses() const { return presses_.load(std::memory_order_acquire); }

 private:
  std::atomic<uint64_t> passes_{0};
  std::atomic<bool> presses_{false};
  // The committing thread's, of the time since `noted_passes_` changed.
  uint64_t noted_passes_ = 0;
  size_t entries_ = 0, members_ = 0;
  std::bitset<4096> threads_;  // by a part of their ids: two that look alike count once, which does no harm
};

}  // namespace parley::fanout
