// Caches the sessions that receive a thread's events, so that a busy thread's members are looked up once and
// not once per message. Each thread has one audience, which matches the member list of its last change: when
// the members change, only those who joined or left are looked up. Bounded in bytes: evicts the least
// recently used audiences.
//
// Thread contract: the loop's thread.
#pragma once

#include <functional>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include "threads/model/change.h"

namespace parley::fanout {

class Subscriber;

class Audiences {
 public:
  static constexpr size_t kBytesMax = size_t{32} << 20;  // roughly, for each hub
  // Returns nullptr if the user has no sessions.
  using SessionsOf =
      std::function<const std::vector<Subscriber*>*(const protocol::TenantId&, const protocol::UserId&)>;

  explicit Audiences(SessionsOf sessions_of, size_t bytes_max = kBytesMax)
      : sessions_of_(std::move(sessions_of)), bytes_max_(bytes_max) {}

  // The result is valid until the next call. The audience returned last is never evicted, whatever its size.
  const std::vector<Subscriber*>& Of(const threads::CommittedChange& change);
  // Call after adding or removing a session: makes earlier lookups invalid.
  void Outdate() { ++generation_; }

  size_t size() const { return kept_.size(); }
  size_t bytes() const { return bytes_; }

 private:
  struct Audience {
    protocol::TenantId tenant;
    threads::MembersPtr members;
    uint64_t generation = 0;
    std::vector<Subscriber*> sessions;
    size_t weight = 0;
    std::list<protocol::ThreadId>::iterator place;
  };
  void LookUp(Audience* audience);
  void Follow(Audience* audience, const threads::MembersPtr& members);
  void Weigh(Audience* audience);
  void Evict();

  const SessionsOf sessions_of_;
  const size_t bytes_max_;
  size_t bytes_ = 0;
  uint64_t generation_ = 1;
  std::unordered_map<protocol::ThreadId, Audience> kept_;
  std::list<protocol::ThreadId> recent_;  // front: just used
};

}  // namespace parley::fanout
