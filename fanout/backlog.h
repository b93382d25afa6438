// Decides whether committed changes may wait for their projection: a busy thread then moves its members'
// entries once for many messages. They may not wait if some session receives them only through the
// projection, if so many wait that the next read would take noticeably longer, or if a reader waits
// (Worker::Hurry).
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
  // Bounds how long a read waits for the backlog: some tens of milliseconds.
  static constexpr size_t kEntriesMost = 2048;
  static constexpr size_t kMembersMost = 1500;

  void Note(const threads::CommittedChange& change);
  void Press() { presses_.store(true, std::memory_order_release); }
  // Call when a pass begins, which includes everything noted so far.
  void Begin();
  bool presses() const { return presses_.load(std::memory_order_acquire); }

 private:
  std::atomic<uint64_t> passes_{0};
  std::atomic<bool> presses_{false};
  // Counts since `noted_passes_` changed; used by the committing thread only.
  uint64_t noted_passes_ = 0;
  size_t entries_ = 0, members_ = 0;
  std::bitset<4096> threads_;  // by a part of the id; a collision only makes two threads count as one
};

}  // namespace parley::fanout
