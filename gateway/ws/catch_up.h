// Resume: tells a session what changed in the threads it held, from rows, page by page as the client reads.
//
// There is no race with live delivery and no buffer of bodies: while a thread is being caught up its live
// events are dropped, because the pages still to come are read from later snapshots that include them. When a
// page reaches the end, the thread is live from that page's last seq on; what live delivery still brings at
// or below it was told already. A page that has to be fetched from the disk is the session's read like any
// other: what is delivered meanwhile waits until the page was told, and is judged then.
//
// Thread contract: the loop's thread, on which live delivery runs too, unless said otherwise.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "protocol/ops/session.h"
#include "threads/lifecycle/changes.h"
#include "threads/model/read_context.h"

namespace parley::gateway {

// A set of seqs, kept as runs: neighbours cost nothing.
class SeqRuns {
 public:
  void Add(int64_t seq);
  bool Contains(int64_t seq) const;

 private:
  std::map<int64_t, int64_t> runs_;  // first → last
};

class CatchUp {
 public:
  // Whether a request is well-formed.
  static protocol::Status Check(const protocol::ResumeRequest& request);
  // Judges what a client holds; `epoch` is the store's. Threads answered ok are queued. Any thread. REQUIRES:
  // it is well-formed.
  struct Judgement;
  static protocol::Result<Judgement> Judge(const threads::ReadContext& context, const std::string& epoch,
                                           const protocol::ResumeRequest& request);

  bool done() const { return todo_.empty() && looks_.empty(); }
  // Nothing of the next thread has been told yet: it is told from what the client held.
  bool begins() const { return todo_.front().through == todo_.front().held; }
  // Threads that staff held without being members: each is caught up with once it is released.
  std::vector<protocol::ThreadId> looks() const;
  void Release(const protocol::ThreadId& thread);
  // Nothing to do until one is.
  bool waits() const { return todo_.empty(); }
  // Whether live events of the thread are dropped for now.
  bool Covers(const protocol::ThreadId& thread) const { return waiting_.contains(thread); }
  // Whether its events need to be looked at one by one: some are dropped.
  bool Concerns(const protocol::ThreadId& thread) const {
    return (!waiting_.empty() && waiting_.contains(thread)) || (!told_.empty() && told_.contains(thread)) ||
           (!left_.empty() && left_.contains(thread));
  }
  // Was resumed: its events are delivered in full in `deliver: open` too.
  bool Resumed(const protocol::ThreadId& thread) const { return resumed_.contains(thread); }
  // True for an event that catch-up (or a reply) has told already.
  bool ToldAlready(const protocol::ThreadId& thread, int64_t seq);
  void MarkTold(const protocol::ThreadId& thread, int64_t through_seq) { told_[thread] = through_seq; }
  void Forget(const protocol::ThreadId& thread) { resumed_.erase(thread); }
  // Threads that the client was told by rows it was removed from, and with which seq. Until live delivery has
  // got there too it brings what was for a member, receipts among it: none of that is for this client.
  const std::unordered_map<protocol::ThreadId, int64_t>& left() const { return left_; }
  // Whether an event (seq 0: a receipt) is such a one.
  bool LeftBefore(const protocol::ThreadId& thread, int64_t seq);

  // Takes a MessagePack event. False: no more for now, the client has enough to read.
  using Send = std::function<bool(std::string)>;
  // Hears of a thread, before the client does, that it was removed from it.
  using Removed = std::function<void(const protocol::ThreadId&)>;
  // What is to be told next: where it begins, and what is stored from there on. REQUIRES (NextPage): it
  // does not wait.
  struct Place {
    protocol::ThreadId thread;
    int64_t through;
    bool look;  // as staff, who are no members
  };
  struct Page {
    std::optional<threads::ParticipantRow> me;
    std::optional<threads::ThreadRow> head;  // these two where the user may hear of it
    threads::ChangePage changes;
    bool known = false;  // the head is the one of `known_head`, so the changes were not read

    // Whether any member who held as much would be told the same, and all that there is: what it was made
    // into may be told to them, too.
    bool is_shared() const { return head && changes.same_for_members && !changes.more; }
  };
  Place NextPage() const { return {todo_.front().thread, todo_.front().through, todo_.front().look}; }
  // Of one snapshot. An error: the store failed, or what is to be told is gone; the session cannot go on. Any
  // thread. `known_head`: the version of the head at which the caller knows what such a member is told; 0:
  // none.
  static protocol::Result<Page> ReadPage(const threads::ReadContext& context, const Place& place,
                                         uint64_t known_head = 0);
  // How a change becomes an event: protocol::SharedEvent, or the compact one.
  using Encoder = std::string(protocol::EventKind, const protocol::ThreadId&, int64_t, protocol::Time,
                              std::string_view);
  // Sends it. REQUIRES: it is what NextPage named, and all events of the thread that are delivered from the
  // moment of its snapshot on come after this.
  void Tell(const threads::Caller& caller, protocol::Time now, const Page& page, Encoder& encode,
            const Send& send, const Removed& removed);
  // It was told by other means, all that there was up to this seq. REQUIRES: as for Tell.
  void NoteTold(int64_t seq);

 private:
  struct Todo {
    protocol::ThreadId thread;
    int64_t held;     // what the client had
    int64_t through;  // how far it has been told
    SeqRuns born;  // items told so far, by the seq they came into being with: their next change is an update
    bool look = false;  // as staff, who are no members
  };
  void TellRemoved(protocol::Time now, const Page& page, Encoder& encode, const Send& send,
                   const Removed& removed);
  void Finish(int64_t seq, const Send& send);

  std::list<Todo> todo_, looks_;
  std::unordered_set<protocol::ThreadId> waiting_;
  std::unordered_set<protocol::ThreadId> resumed_;
  std::unordered_map<protocol::ThreadId, int64_t> told_, left_;
};

struct CatchUp::Judgement {
  protocol::Dictionary<protocol::ResumeVerdict> verdicts;
  CatchUp catch_up;
};

}  // namespace parley::gateway
