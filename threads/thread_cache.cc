#include "threads/thread_cache.h"

namespace parley::threads {

namespace {
constexpr size_t kParticipantsMax = 1024;  // decoded rows kept of one thread
}

CachedThread& ThreadCache::At(const storage::PartitionKey& partition) {
  const auto [at, fresh] = entries_.try_emplace(partition.bytes());
  Slot& slot = at->second;
  if (fresh) {
    recent_.push_front(&at->first);
    slot.place = recent_.begin();
    if (entries_.size() > max_threads_) {
      const std::string coldest = *recent_.back();
      recent_.pop_back();
      entries_.erase(coldest);
    }
  } else {
    recent_.splice(recent_.begin(), recent_, slot.place);
    if (slot.thread.participants.size() > kParticipantsMax) slot.thread.participants.clear();
  }
  return slot.thread;
}

void ThreadCache::Clear() {
  entries_.clear();
  recent_.clear();
}

}  // namespace parley::threads
