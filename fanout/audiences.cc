#include "fanout/audiences.h"

namespace parley::fanout {

namespace {
constexpr size_t kAudienceBytes = 256;  // including its map node and list node
}

const std::vector<Subscriber*>& Audiences::Of(const threads::CommittedChange& change) {
  const auto [at, fresh] = kept_.try_emplace(change.thread);
  Audience& audience = at->second;
  if (fresh) {
    recent_.push_front(change.thread);
    audience.place = recent_.begin();
  } else {
    recent_.splice(recent_.begin(), recent_, audience.place);
  }
  const bool current = audience.generation == generation_ && audience.tenant == change.tenant;
  if (current && audience.members == change.recipients) return audience.sessions;
  if (current) {
    Follow(&audience, change.recipients);
  } else {
    audience.tenant = change.tenant;
    audience.members = change.recipients;
    audience.generation = generation_;
    LookUp(&audience);
  }
  Weigh(&audience);
  Evict();
  return audience.sessions;
}

void Audiences::LookUp(Audience* audience) {
  audience->sessions.clear();
  audience->members->ForEach([&](const protocol::UserId& user) {
    if (const auto* found = sessions_of_(audience->tenant, user))
      audience->sessions.insert(audience->sessions.end(), found->begin(), found->end());
  });
}

void Audiences::Follow(Audience* audience, const threads::MembersPtr& members) {
  std::vector<Subscriber*>& sessions = audience->sessions;
  CompareMembers(
      *audience->members, *members,
      [&](const protocol::UserId& user) {
        const auto* found = sessions_of_(audience->tenant, user);
        for (size_t i = 0; found && i < found->size(); ++i) std::erase(sessions, (*found)[i]);
      },
      [&](const protocol::UserId& user) {
        const auto* found = sessions_of_(audience->tenant, user);
        if (found) sessions.insert(sessions.end(), found->begin(), found->end());
      });
  audience->members = members;
}

void Audiences::Weigh(Audience* audience) {
  bytes_ -= audience->weight;
  audience->weight =
      kAudienceBytes + audience->members->Weight() + audience->sessions.capacity() * sizeof(Subscriber*);
  bytes_ += audience->weight;
}

void Audiences::Evict() {
  while (bytes_ > bytes_max_ && kept_.size() > 1) {
    const auto coldest = kept_.find(recent_.back());
    bytes_ -= coldest->second.weight;
    recent_.pop_back();
    kept_.erase(coldest);
  }
}

}  // namespace parley::fanout
