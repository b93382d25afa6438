#include "gateway/app/ephemera.h"

#include <algorithm>
#include <utility>

#include "protocol/frame.h"

namespace parley::gateway {

namespace {
constexpr int64_t kSweepMs = 500;    // the largest delay of an expiry
constexpr size_t kTypistsMost = 50;  // reported at most; a longer list helps no client
}  // namespace

Ephemera::Ephemera(fanout::Hub& hub, Loop& loop, const protocol::Clock& clock, EphemeraPeers& peers,
                   EphemeraSettings settings)
    : hub_(hub), loop_(loop), clock_(clock), peers_(peers), settings_(settings) {}

void Ephemera::Touch(const TenantId& tenant, const UserId& user) {
  const UserName name{tenant, user};
  const auto [at, fresh] = online_.try_emplace(name);
  Lapse& lapse = at->second;
  lapse.at_ms = clock_.MonotonicMs() + settings_.presence_ttl_ms;
  if (fresh) {
    lapse.looked_at_ms = lapse.at_ms;
    lapses_.emplace(lapse.looked_at_ms, name);
    if (!elsewhere_.contains(name)) PublishPresence(name, true);
    peers_.OnPresence(tenant, user, true);
  }
  ScheduleSweep();
}

void Ephemera::Gone(const TenantId& tenant, const UserId& user) {
  const UserName name{tenant, user};
  const auto found = online_.find(name);
  if (found == online_.end()) return;
  Lapse& lapse = found->second;
  lapse.at_ms = std::min(lapse.at_ms, clock_.MonotonicMs() + settings_.grace_ms);
  Postpone(name, &lapse);
}

// Checks the user again at the new time.
void Ephemera::Postpone(const UserName& user, Lapse* lapse) {
  lapses_.erase({lapse->looked_at_ms, user});
  lapse->looked_at_ms = lapse->at_ms;
  lapses_.emplace(lapse->looked_at_ms, user);
}

void Ephemera::GoOffline(const UserName& user) {
  const auto found = online_.find(user);
  lapses_.erase({found->second.looked_at_ms, user});
  online_.erase(found);
  if (!elsewhere_.contains(user)) PublishPresence(user, false);
  peers_.OnPresence(user.first, user.second, false);
}

void Ephemera::OnPeerPresence(const TenantId& tenant, const UserId& user, bool online) {
  const UserName name{tenant, user};
  if (online) {
    if (++elsewhere_[name] == 1 && !online_.contains(name)) PublishPresence(name, true);
    return;
  }
  const auto found = elsewhere_.find(name);
  if (found == elsewhere_.end() || --found->second > 0) return;
  elsewhere_.erase(found);
  if (!online_.contains(name)) PublishPresence(name, false);
}

bool Ephemera::IsOnline(const TenantId& tenant, const UserId& user) const {
  const UserName name{tenant, user};
  if (elsewhere_.contains(name)) return true;
  const auto found = online_.find(name);
  return found != online_.end() && found->second.at_ms > clock_.MonotonicMs();
}

void Ephemera::Watch(const TenantId& tenant, const ThreadId& thread, const std::vector<UserId>& members) {
  DropWatched({tenant, thread});
  auto& watched = watched_[{tenant, thread}];
  for (const UserId& user : members) {
    watched.insert(user);
    watching_[{tenant, user}].insert(thread);
  }
}

void Ephemera::Unwatch(const TenantId& tenant, const ThreadId& thread) {
  hidden_pairs_.Close({tenant, thread});
  DropWatched({tenant, thread});
}

void Ephemera::DropWatched(const ThreadName& thread) {
  const auto found = watched_.find(thread);
  if (found == watched_.end()) return;
  const std::set<UserId> users = std::move(found->second);
  watched_.erase(found);
  for (const UserId& user : users) {
    const auto threads = watching_.find({thread.first, user});
    threads->second.erase(thread.second);
    if (threads->second.empty()) watching_.erase(threads);
  }
}

void Ephemera::OnMembership(const TenantId& tenant, const ThreadId& thread, const UserId& user, bool member) {
  const auto found = watched_.find({tenant, thread});
  if (found != watched_.end()) {
    std::vector<UserId> users(found->second.begin(), found->second.end());
    std::erase(users, user);
    if (member) users.push_back(user);
    Watch(tenant, thread, users);
  }
  if (!member) KeepTyping({tenant, thread}, user, false);  // each peer sees the membership by itself
}

void Ephemera::PublishPresence(const UserName& user, bool online) {
  const auto threads = watching_.find(user);
  if (threads == watching_.end()) return;
  for (const ThreadId& thread : threads->second)
    PublishPresence({user.first, thread}, user.second, online, nullptr);
}

// Skips the user's own sessions and anyone who may not see them. `only`: the only viewer; nullptr: all.
void Ephemera::PublishPresence(const ThreadName& thread, const UserId& user, bool online,
                               const UserId* only) {
  const std::string event = protocol::PresenceEvent(thread.second, user, online);
  fanout::SharedPayload payload(fanout::Payloads(&event, 1), hub_.framer());
  const UserId* hidden_from = only ? nullptr : hidden_pairs_.HiddenFrom(thread, user);
  for (fanout::Subscriber* opener : hub_.Openers(thread.first, thread.second)) {
    const UserId& viewer = opener->user();
    if (viewer == user || (hidden_from && viewer == *hidden_from) || (only && viewer != *only)) continue;
    opener->OnEphemeral(thread.second, payload);
  }
}

void Ephemera::Part(const TenantId& tenant, const ThreadId& thread,
                    const std::optional<HiddenPairs::Between>& between, uint64_t noted) {
  hidden_pairs_.Open({tenant, thread}, between, noted);
}

void Ephemera::OnPairChange(const PairChange& change) {
  PublishPairChange(hidden_pairs_.Change(change));
}

void Ephemera::OnBlocksHold(const TenantId& tenant, const ThreadId& thread, bool hold) {
  PublishPairChange(hidden_pairs_.Change({tenant, thread}, hold));
}

// Hides the two from each other, or shows them again, in presence and typing. Sends nothing if neither was
// visible to the other, so that a block looks like a declined request.
void Ephemera::PublishPairChange(const std::vector<ThreadName>& threads) {
  for (const ThreadName& thread : threads) {
    const HiddenPairs::Between& between = *hidden_pairs_.Find(thread);
    const auto& [one, other] = between.parties;
    for (const auto& [user, viewer] : {std::pair(&one, &other), std::pair(&other, &one)}) {
      if (IsShown(thread, *user)) PublishPresence(thread, *user, !between.apart(), viewer);
      const Typist* typist = FindTypist(thread, *user);
      if (typist && typist->shown) PublishTypingTo(thread, *viewer);
    }
  }
}

void Ephemera::OnLetIn(const TenantId& tenant, const ThreadId& thread, const UserId& user) {
  const ThreadName name{tenant, thread};
  if (!watched_.contains(name) || watched_.at(name).contains(user)) return;
  OnMembership(tenant, thread, user, true);
  if (IsShown(name, user)) PublishPresence(name, user, true, nullptr);
}

// Returns true if the user is online and the thread shows it.
bool Ephemera::IsShown(const ThreadName& thread, const UserId& user) const {
  const auto watched = watched_.find(thread);
  return watched != watched_.end() && watched->second.contains(user) && IsOnline(thread.first, user);
}

void Ephemera::SetTyping(const TenantId& tenant, const ThreadId& thread, const UserId& user, bool typing,
                         const fanout::Subscriber* by) {
  const ThreadName name{tenant, thread};
  KeepTyping(name, user, typing);
  if (typing && by) FindTypist(name, user)->by.insert(by);
  peers_.OnTyping(tenant, thread, user, typing);
}

void Ephemera::EndTypingBy(const TenantId& tenant, const ThreadId& thread, const UserId& user,
                           const fanout::Subscriber* by) {
  Typist* typist = FindTypist({tenant, thread}, user);
  if (!typist || typist->by.erase(by) == 0 || !typist->by.empty()) return;
  SetTyping(tenant, thread, user, false);
}

// If a session here still types, corrects the peer that reported the end.
void Ephemera::OnPeerTyping(const TenantId& tenant, const ThreadId& thread, const UserId& user, bool typing) {
  const ThreadName name{tenant, thread};
  const Typist* typist = FindTypist(name, user);
  const bool types_here = typist && !typist->by.empty() && typist->expires_ms > clock_.MonotonicMs();
  if (!typing && types_here) return peers_.OnTyping(tenant, thread, user, true);
  KeepTyping(name, user, typing);
}

Ephemera::Typist* Ephemera::FindTypist(const ThreadName& thread, const UserId& user) {
  const auto typists = typing_.find(thread);
  if (typists == typing_.end()) return nullptr;
  const auto typist = typists->second.find(user);
  return typist == typists->second.end() ? nullptr : &typist->second;
}

void Ephemera::KeepTyping(const ThreadName& name, const UserId& user, bool typing) {
  const int64_t now = clock_.MonotonicMs();
  if (!typing) {
    Typist* typist = FindTypist(name, user);
    if (!typist) return;
    typist->expires_ms = now;  // stays until coalesce_ms has passed, so that toggling does not cause a flood
    typist->by.clear();
    if (std::exchange(typist->shown, false)) PublishTyping(name, {user});
    return;
  }
  const auto [at, fresh] = typing_[name].try_emplace(user);
  Typist& typist = at->second;
  typist.expires_ms = now + settings_.typing_ttl_ms;
  ScheduleSweep();
  if (!fresh && now - typist.published_ms < settings_.coalesce_ms) return;
  typist.published_ms = now;
  typist.shown = true;
  PublishTyping(name, {user});
}

std::vector<UserId> Ephemera::Typing(const TenantId& tenant, const ThreadId& thread,
                                     const UserId& viewer) const {
  std::vector<UserId> out;
  const auto found = typing_.find({tenant, thread});
  if (found == typing_.end()) return out;
  for (const auto& [user, typist] : found->second) {
    if (user == viewer || !typist.shown || IsHidden(tenant, thread, user, viewer)) continue;
    out.push_back(user);
    if (out.size() == kTypistsMost) break;
  }
  return out;
}

void Ephemera::PublishTypingTo(const ThreadName& thread, const UserId& viewer) {
  const auto& [tenant, id] = thread;
  const std::string event = protocol::TypingEvent(id, Typing(tenant, id, viewer));
  fanout::SharedPayload payload(fanout::Payloads(&event, 1), hub_.framer());
  for (fanout::Subscriber* opener : hub_.Openers(tenant, id)) {
    if (opener->user() == viewer) opener->OnEphemeral(id, payload);
  }
}

// A user who types receives the list without themselves; all others share one encoded list. Skips viewers who
// may not see any of the `changed` users.
void Ephemera::PublishTyping(const ThreadName& thread, const std::set<UserId>& changed) {
  const auto& [tenant, id] = thread;
  const auto typists = typing_.find(thread);
  const std::string event = protocol::TypingEvent(id, Typing(tenant, id, UserId{}));
  fanout::SharedPayload shared(fanout::Payloads(&event, 1), hub_.framer());
  for (fanout::Subscriber* opener : hub_.Openers(tenant, id)) {
    const UserId& viewer = opener->user();
    const UserId* other = hidden_pairs_.HiddenFrom(thread, viewer);
    const auto is_unseen = [&](const UserId& user) { return user == viewer || (other && user == *other); };
    if (std::all_of(changed.begin(), changed.end(), is_unseen)) continue;
    if (!other && (typists == typing_.end() || !typists->second.contains(viewer))) {
      opener->OnEphemeral(id, shared);
      continue;
    }
    const std::string others = protocol::TypingEvent(id, Typing(tenant, id, viewer));
    fanout::SharedPayload own(fanout::Payloads(&others, 1), hub_.framer());
    opener->OnEphemeral(id, own);
  }
}

void Ephemera::ScheduleSweep() {
  if (!sweep_) sweep_ = loop_.CallAfter(kSweepMs, [this] { Sweep(); });
}

void Ephemera::Sweep() {
  sweep_.reset();
  const int64_t now = clock_.MonotonicMs();
  SweepOnline(now);
  SweepTyping(now);
  if (!online_.empty() || !typing_.empty()) ScheduleSweep();
}

void Ephemera::SweepOnline(int64_t now) {
  while (!lapses_.empty() && lapses_.begin()->first <= now) {
    const UserName user = lapses_.begin()->second;
    Lapse& lapse = online_.at(user);
    lapse.at_ms <= now ? GoOffline(user) : Postpone(user, &lapse);
  }
}

void Ephemera::SweepTyping(int64_t now) {
  std::map<ThreadName, std::set<UserId>> changed;
  for (auto thread = typing_.begin(); thread != typing_.end();) {
    for (auto at = thread->second.begin(); at != thread->second.end();) {
      Typist& typist = at->second;
      const bool types = typist.expires_ms > now;
      const bool rested = now - typist.published_ms >= settings_.coalesce_ms;
      if (!types && typist.shown) {
        typist.shown = false;
        changed[thread->first].insert(at->first);
      } else if (types && !typist.shown && rested) {
        typist.shown = true;
        typist.published_ms = now;
        changed[thread->first].insert(at->first);
      }
      at = !types && rested ? thread->second.erase(at) : std::next(at);
    }
    thread = thread->second.empty() ? typing_.erase(thread) : std::next(thread);
  }
  for (const auto& [thread, users] : changed) PublishTyping(thread, users);
}

}  // namespace parley::gateway
