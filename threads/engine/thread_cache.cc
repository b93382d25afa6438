#include "threads/engine/thread_cache.h"

namespace parley::threads {

namespace {
constexpr size_t kParticipantsMax = 1024;  // decoded rows kept per thread

// Approximate sizes of a decoded head, row or id, including its strings and its map node.
constexpr size_t kHeadBytes = 2048, kParticipantBytes = 640, kHashBytes = 24;
}  // namespace

void RememberedKeys::GiveUp() {
  state_ = State::kTooMany;
  hashes_ = {};
}

void RememberedKeys::Add(std::string_view sort) {
  if (state_ != State::kComplete) return;
  hashes_.insert(std::hash<std::string_view>()(sort));
  if (hashes_.size() > kMost) GiveUp();
}

void RememberedKeys::Remove(std::string_view sort) {
  if (const auto at = hashes_.find(std::hash<std::string_view>()(sort)); at != hashes_.end())
    hashes_.erase(at);
}

void RememberedKeys::LookAgain() {
  if (state_ == State::kTooMany) state_ = State::kUnread;
}

bool RememberedKeys::MayHold(std::string_view sort) const {
  return state_ != State::kComplete || hashes_.contains(std::hash<std::string_view>()(sort));
}

size_t CachedThread::Weight() const {
  return kHeadBytes + participants.size() * kParticipantBytes + (members ? members->Weight() : 0) +
         remembered.size() * kHashBytes + memories.Weight();
}

CachedThread& ThreadCache::At(const storage::PartitionKey& partition) {
  // The entry returned last may have grown since.
  if (last_) Weigh(*last_);
  const auto [at, fresh] = entries_.try_emplace(partition.bytes());
  Slot& slot = at->second;
  if (fresh) {
    recent_.push_front(&at->first);
    slot.place = recent_.begin();
  } else {
    recent_.splice(recent_.begin(), recent_, slot.place);
    if (slot.thread.participants.size() > kParticipantsMax) slot.thread.participants.clear();
  }
  Weigh(slot);
  last_ = &slot;
  Evict();
  return slot.thread;
}

void ThreadCache::Weigh(Slot& slot) {
  bytes_ -= slot.weight;
  slot.weight = slot.thread.Weight();
  bytes_ += slot.weight;
}

// Never evicts the newest entry, which is in use.
void ThreadCache::Evict() {
  while (entries_.size() > 1 && (entries_.size() > max_threads_ || bytes_ > max_bytes_)) {
    const auto coldest = entries_.find(*recent_.back());
    bytes_ -= coldest->second.weight;
    recent_.pop_back();
    entries_.erase(coldest);
  }
}

void ThreadCache::Clear() {
  entries_.clear();
  recent_.clear();
  bytes_ = 0;
  last_ = nullptr;
}

}  // namespace parley::threads
