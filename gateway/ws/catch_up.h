// Resumes a session: sends the changes in the threads that the client held, from rows, page by page as the
// client reads.
//
// There is no race with live delivery and no buffer of bodies: while a thread is being caught up its live
// events are dropped, because later pages are read from later snapshots, which include them. When a page
// reaches the end, the thread is live from that page's last seq on; events up to that seq that live delivery
// still brings are dropped. A page that must be read from disk is a read of the session like any other:
// events delivered during the read are held until the page was sent, and are judged then.
//
// Thread contract: the loop's thread, on which live delivery runs too, unless stated otherwise.
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

// A set of seqs, kept as runs: consecutive seqs take no extra memory.
class SeqRuns {
 public:
  void Add(int64_t seq);
  bool Contains(int64_t seq) const;

 private:
  std::map<int64_t, int64_t> runs_;  // first → last
};

class CatchUp {
 public:
  // Returns an error if the request is malformed.
  static protocol::Status Check(const protocol::ResumeRequest& request);
  // Decides for each thread that the client held: ok, reset or gone; `epoch` is the store's. Queues the
  // threads that are ok. Any thread. REQUIRES: the request is well-formed.
  struct Judgement;
  static protocol::Result<Judgement> Judge(const threads::ReadContext& context, const std::string& epoch,
                                           const protocol::ResumeRequest& request);

  bool done() const { return todo_.empty() && looks_.empty(); }
  // Returns true if no page of the next thread was sent yet: it begins at the seq that the client held.
  bool begins() const { return todo_.front().through == todo_.front().held; }
  // The threads that staff held without being members. Each is caught up after it is released.
  std::vector<protocol::ThreadId> looks() const;
  void Release(const protocol::ThreadId& thread);
  // Returns true if only threads that are not released remain.
  bool waits() const { return todo_.empty(); }
  // Returns true while live events of the thread are dropped.
  bool Covers(const protocol::ThreadId& thread) const { return waiting_.contains(thread); }
  // Returns true if the thread's events must be judged one by one, since some are dropped.
  bool Concerns(const protocol::ThreadId& thread) const {
    return (!waiting_.empty() && waiting_.contains(thread)) || (!sent_.empty() && sent_.contains(thread)) ||
           (!left_.empty() && left_.contains(thread));
  }
  // Returns true if the thread was resumed: its events are delivered in full in `deliver: open` too.
  bool Resumed(const protocol::ThreadId& thread) const { return resumed_.contains(thread); }
  // Returns true for an event that catch-up (or a reply) has already sent.
  bool AlreadySent(const protocol::ThreadId& thread, int64_t seq);
  void MarkSent(const protocol::ThreadId& thread, int64_t through_seq) { sent_[thread] = through_seq; }
  void Forget(const protocol::ThreadId& thread) { resumed_.erase(thread); }
  // The threads from which the user was removed according to rows, with the seq of the removal. Until live
  // delivery reaches that seq, it still brings events and receipts for members, which the user must not get.
  const std::unordered_map<protocol::ThreadId, int64_t>& left() const { return left_; }
  // Returns true if an event (seq 0: a receipt) is one of these.
  bool LeftBefore(const protocol::ThreadId& thread, int64_t seq);

  // Takes a MessagePack event. Returns false if the client has enough to read for now.
  using Send = std::function<bool(std::string)>;
  // Called when the user turns out to be removed from a thread, before the client receives the removal.
  using Removed = std::function<void(const protocol::ThreadId&)>;
  // The next thread, and the seq from which its changes are read. REQUIRES (NextPage): !waits().
  struct Place {
    protocol::ThreadId thread;
    int64_t through;
    bool look;  // as staff, who are not members
  };
  struct Page {
    std::optional<threads::ParticipantRow> me;
    std::optional<threads::ThreadRow> head;  // set, like `changes`, only if the user may see the thread
    threads::ChangePage changes;
    bool known = false;  // the head has version `known_head`, so the changes were not read

    // Returns true if every member who held the same seq gets the same events, and this page has all of them:
    // then its frames may be shared.
    bool is_shared() const { return head && changes.same_for_members && !changes.more; }
  };
  Place NextPage() const { return {todo_.front().thread, todo_.front().through, todo_.front().look}; }
  // Reads a page from one snapshot. An error means that the store failed or the changes were swept; the
  // session cannot continue. Any thread. `known_head`: the version of the head for which the caller has the
  // frames of such a member; 0: none.
  static protocol::Result<Page> ReadPage(const threads::ReadContext& context, const Place& place,
                                         uint64_t known_head = 0);
  // Encodes a change as an event: protocol::SharedEvent or CompactSharedEvent.
  using Encoder = std::string(protocol::EventKind, const protocol::ThreadId&, int64_t, protocol::Time,
                              std::string_view);
  // Sends a page. REQUIRES: the page of NextPage, and all events of the thread committed after its snapshot
  // are delivered after this call.
  void SendPage(const threads::Caller& caller, protocol::Time now, const Page& page, Encoder& encode,
                const Send& send, const Removed& removed);
  // Marks the thread as sent by other means, up to this seq. REQUIRES: as for SendPage.
  void NoteSent(int64_t seq);

 private:
  struct Todo {
    protocol::ThreadId thread;
    int64_t held;       // the seq that the client held
    int64_t through;    // the seq up to which changes were sent
    SeqRuns born;       // the birth seqs of the items sent: their next change is an update
    bool look = false;  // as staff, who are not members
  };
  void SendRemoved(protocol::Time now, const Page& page, Encoder& encode, const Send& send,
                   const Removed& removed);
  void Finish(int64_t seq, const Send& send);

  std::list<Todo> todo_, looks_;
  std::unordered_set<protocol::ThreadId> waiting_;
  std::unordered_set<protocol::ThreadId> resumed_;
  std::unordered_map<protocol::ThreadId, int64_t> sent_, left_;
};

struct CatchUp::Judgement {
  protocol::Dictionary<protocol::ResumeVerdict> verdicts;
  CatchUp catch_up;
};

}  // namespace parley::gateway
