// Keeps presence and typing: in memory only, expiring, coalesced. It never touches storage, and losing it
// does no harm. Each I/O thread has its own and reports changes to the others. Thread contract: the loop's
// thread.
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
  int64_t grace_ms = 5'000;     // a user is reported as offline this long after the last session
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

  // The user is online from now on for the TTL.
  void Touch(const TenantId& tenant, const UserId& user);
  // The user's last session here ended: offline after the grace period, unless they return.
  void Gone(const TenantId& tenant, const UserId& user);
  bool IsOnline(const TenantId& tenant, const UserId& user) const;

  // Reports the presence of the listed members of an opened thread to its openers.
  void Watch(const TenantId& tenant, const ThreadId& thread, const std::vector<UserId>& members);
  void Unwatch(const TenantId& tenant, const ThreadId& thread);
  // Sets the two parties of an opened thread, if it has two: while they are hidden from each other, neither
  // sees the other's presence and typing. `noted`: hidden_pair_changes() before the parties were read.
  void Part(const TenantId& tenant, const ThreadId& thread,
            const std::optional<HiddenPairs::Between>& between, uint64_t noted);
  uint64_t hidden_pair_changes() const { return hidden_pairs_.changes(); }
  void OnPairChange(const PairChange& change);
  // Blocks are in force in the thread from now on, or no longer: its booking ended, or began.
  void OnBlocksHold(const TenantId& tenant, const ThreadId& thread, bool hold);
  // The user accepted the request that kept them out of the thread.
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
  // Only here: each peer sees the message by itself.
  void EndTyping(const TenantId& tenant, const ThreadId& thread, const UserId& user) {
    KeepTyping({tenant, thread}, user, false);
  }
  // `by` identifies the session and is never dereferenced. An end applies to all of the user's devices.
  void SetTyping(const TenantId& tenant, const ThreadId& thread, const UserId& user, bool typing,
                 const fanout::Subscriber* by = nullptr);
  // A typing session ended: the user stops typing, unless another session of theirs types there.
  void EndTypingBy(const TenantId& tenant, const ThreadId& thread, const UserId& user,
                   const fanout::Subscriber* by);
  // Reports from a peer.
  void OnPeerPresence(const TenantId& tenant, const UserId& user, bool online);
  void OnPeerTyping(const TenantId& tenant, const ThreadId& thread, const UserId& user, bool typing);
  // Returns the users who type, except the viewer, and at most a few dozen.
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
    int64_t published_ms = 0;  // when viewers were last notified that the user types
    bool shown = false;        // viewers were notified; otherwise it waits until coalesce_ms have passed
    std::set<const fanout::Subscriber*> by;  // the user's sessions that type in this thread
  };

  void DropWatched(const ThreadName& thread);
  void PublishPresence(const UserName& user, bool online);
  void PublishPresence(const ThreadName& thread, const UserId& user, bool online, const UserId* only);
  void PublishPairChange(const std::vector<ThreadName>& threads);
  bool IsShown(const ThreadName& thread, const UserId& user) const;
  Typist* FindTypist(const ThreadName& thread, const UserId& user);
  void KeepTyping(const ThreadName& thread, const UserId& user, bool typing);
  void PublishTyping(const ThreadName& thread, const std::set<UserId>& changed);
  void PublishTypingTo(const ThreadName& thread, const UserId& viewer);
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
