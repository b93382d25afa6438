// Presence and typing: in memory only, expiring, coalesced. None of it touches storage, and losing it does no
// harm. Each I/O thread has its own, which tells the others what changed. Thread contract: the loop's thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "fanout/hub.h"
#include "gateway/app/hidden_pairs.h"
#include "gateway/net/loop.h"
#include "protocol/base/clock.h"

namespace parley::gateway {

using protocol::TenantId;
using protocol::ThreadId;
using protocol::UserId;

struct EphemeraSettings {
  int64_t presence_ttl_ms = 60'000;
  int64_t typing_ttl_ms = 10'000;
  int64_t coalesce_ms = 5'000;  // repeats within this time are not reported again
  int64_t grace_ms = 5'000;     // after the last session, before a user is reported as offline
};

// The other I/O threads' ephemera.
class EphemeraPeers {
 public:
  virtual ~EphemeraPeers() = default;
  // A user has come online or gone offline here; the two alternate.
  virtual void OnPresence(const TenantId& tenant, const UserId& user, bool online) = 0;
  virtual void OnTyping(const TenantId& tenant, const ThreadId& thread, const UserId& user, bool typing) = 0;
};

class Ephemera {
 public:
  Ephemera(fanout::Hub& hub, Loop& loop, const protocol::Clock& clock, EphemeraPeers& peers,
           EphemeraSettings settings);

  // A user did something: they are online from now for the TTL.
  void Touch(const TenantId& tenant, const UserId& user);
  // Their last session here ended: they are offline after the grace, unless they come back.
  void Gone(const TenantId& tenant, const UserId& user);
  bool IsOnline(const TenantId& tenant, const UserId& user) const;

  // The displayed members of an opened thread, whose presence its openers are told.
  void Watch(const TenantId& tenant, const ThreadId& thread, const std::vector<UserId>& members);
  void Unwatch(const TenantId& tenant, const ThreadId& thread);
  // The two between whom an opened thread lies, if any: where they are apart, neither hears of the other.
  // `noted`: apart_changes() from before that was read.
  void Part(const TenantId& tenant, const ThreadId& thread,
            const std::optional<HiddenPairs::Between>& between, uint64_t noted);
  uint64_t hidden_pair_changes() const { return hidden_pairs_.changes(); }
  void OnPairChange(const PairChange& change);
  // Blocks hold in the thread from now on, or no longer: its booking ended, or began.
  void OnBlocksHold(const TenantId& tenant, const ThreadId& thread, bool hold);
  // They accepted the request that kept them out of a thread of theirs.
  void OnLetIn(const TenantId& tenant, const ThreadId& thread, const UserId& user);
  bool IsHidden(const TenantId& tenant, const ThreadId& thread, const UserId& user,
                const UserId& viewer) const {
    const UserId* from = hidden_pairs_.HiddenFrom({tenant, thread}, user);
    return from && *from == viewer;
  }
  void OnMembership(const TenantId& tenant, const ThreadId& thread, const UserId& user, bool member);

  bool AnyTyping(const TenantId& tenant, const ThreadId& thread) const {
    return typing_.contains({tenant, thread});
  }
  // Here alone: each peer hears of the message itself.
  void EndTyping(const TenantId& tenant, const ThreadId& thread, const UserId& user) {
    KeepTyping({tenant, thread}, user, false);
  }
  // `by`: the session, which is compared and never used. An end is the user's, on all their devices.
  void SetTyping(const TenantId& tenant, const ThreadId& thread, const UserId& user, bool typing,
                 const fanout::Subscriber* by = nullptr);
  // A session ended that was typing: so does the user, unless another of their sessions types there.
  void EndTypingBy(const TenantId& tenant, const ThreadId& thread, const UserId& user,
                   const fanout::Subscriber* by);
  // What a peer reported.
  void OnPeerPresence(const TenantId& tenant, const UserId& user, bool online);
  void OnPeerTyping(const TenantId& tenant, const ThreadId& thread, const UserId& user, bool typing);
  // Who is typing, except the viewer: a few dozen at most.
  std::vector<UserId> Typing(const TenantId& tenant, const ThreadId& thread, const UserId& viewer) const;

 private:
  using UserName = std::pair<TenantId, UserId>;
  using ThreadName = std::pair<TenantId, ThreadId>;
  // Monotonic ms. A touch only postpones at_ms; lapses_ is reordered once looked_at_ms has passed.
  struct Lapse {
    int64_t at_ms = 0;
    int64_t looked_at_ms = 0;
  };
  struct Typist {
    int64_t expires_ms = 0;
    int64_t told_ms = 0;  // when viewers last heard that they are typing
    bool shown = false;   // viewers were told; otherwise it waits until coalesce_ms have passed
    std::set<const fanout::Subscriber*> by;  // the user's sessions of this thread that type
  };

  void DropWatched(const ThreadName& thread);
  void TellPresence(const UserName& user, bool online);
  void TellPresence(const ThreadName& thread, const UserId& user, bool online, const UserId* only);
  void PublishPairChange(const std::vector<ThreadName>& threads);
  bool IsShown(const ThreadName& thread, const UserId& user) const;
  Typist* FindTypist(const ThreadName& thread, const UserId& user);
  void KeepTyping(const ThreadName& thread, const UserId& user, bool typing);
  void TellTyping(const ThreadName& thread, const std::set<UserId>& changed);
  void TellTypingTo(const ThreadName& thread, const UserId& viewer);
  void Postpone(const UserName& user, Lapse* lapse);
  void GoOffline(const UserName& user);
  void SweepOnline(int64_t now);
  void SweepTyping(int64_t now);
  void ScheduleSweep();
  void Sweep();

  fanout::Hub& hub_;
  Loop& loop_;
  const protocol::Clock& clock_;
  EphemeraPeers& peers_;
  const EphemeraSettings settings_;
  std::map<UserName, Lapse> online_;
  std::map<UserName, size_t> elsewhere_;           // at how many peers a user is online
  std::set<std::pair<int64_t, UserName>> lapses_;  // by `looked_at_ms`
  std::map<ThreadName, std::map<UserId, Typist>> typing_;
  std::map<ThreadName, std::set<UserId>> watched_;
  std::map<UserName, std::set<ThreadId>> watching_;  // user → opened threads that show them
  HiddenPairs hidden_pairs_;
  std::unique_ptr<Timer> sweep_;
};

}  // namespace parley::gateway
