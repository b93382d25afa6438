// Delivers durable changes, in seq order, to every session of every member. Events reach sessions, the
// sender's included, only from here.
//
// Each event is encoded and framed once for each form in use (Form); all recipients of a form share the
// bytes, so it contains nothing personal. All changes of a thread since the last delivery form one run: its
// frames are adjacent in one buffer, so that a burst costs a recipient as much as one event.
//
// Each I/O thread has one hub. Thread contract: everything on the loop's thread, except Wants,
// CountSessions, sessions and awaits_pass (any thread).
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "fanout/audiences.h"
#include "fanout/departures.h"
#include "fanout/projection.h"
#include "protocol/base/metrics.h"
#include "protocol/base/mutex.h"
#include "protocol/value.h"
#include "threads/model/change.h"

namespace parley::fanout {

// Payloads, each framed as the transport needs it, in one buffer; opaque here.
using FramePtr = std::shared_ptr<const void>;
using Payloads = std::span<const std::string>;
using Framer = std::function<FramePtr(Payloads payloads, protocol::Encoding encoding)>;

// The form in which a session receives events: its encoding, and whether items omit the fields that the
// client can restore (protocol/compact.h).
struct Form {
  Form(protocol::Encoding of, bool is_compact = false)
      : encoding(of), compact(is_compact) {}  // NOLINT: implicit
  protocol::Encoding encoding;
  bool compact;
};

// Makes payloads as MessagePack, compact or not, on first use.
class PayloadSource {
 public:
  virtual ~PayloadSource() = default;
  // Returns `count` of its payloads, from `first` on. Their addresses are stable.
  virtual Payloads Make(bool compact, size_t first, size_t count) = 0;
};

// Payloads for many recipients, framed once per form, on first use.
class SharedPayload {
 public:
  // REQUIRES (both): the arguments outlive it. For MessagePack payloads that are the same in the compact
  // form.
  SharedPayload(Payloads msgpack, const Framer& framer) : msgpack_(msgpack), framer_(&framer) {}
  SharedPayload(PayloadSource& source, size_t first, size_t count, const Framer& framer)
      : source_(&source), first_(first), count_(count), framer_(&framer) {}
  const FramePtr& Frame(Form form);

 private:
  Payloads msgpack_;
  PayloadSource* source_ = nullptr;  // if set, has the payloads instead
  size_t first_ = 0, count_ = 0;
  const Framer* framer_;
  std::array<FramePtr, 4> frames_;
};

// A durable event for one session, with the facts by which the session decides whether to send it.
struct LiveEvent {
  protocol::EventKind kind;
  int64_t seq;                // 0: the event has no seq (participant.read)
  const UserId* participant;  // participant.*: the member that changed
  SharedPayload payload;
};

// Consecutive events of one thread for one class of recipients among the same members.
struct LiveRun {
  const ThreadId& thread;
  std::span<LiveEvent> events;  // seqs rise
  bool removes;                 // contains the removal of a member
  SharedPayload joined;         // all events in one
  bool looked_at = false;       // the recipient is an onlooker, not a member (Hub::Look)
};

// A session, as live delivery sees it.
class Subscriber {
 public:
  virtual ~Subscriber() = default;
  virtual const TenantId& tenant() const = 0;
  virtual const UserId& user() const = 0;
  // Returns true if it receives restricted events (SharedChange::only_for).
  virtual bool is_staff() const { return false; }
  // Returns true if it receives inbox entries instead of messages in threads that it did not open. Never
  // changes.
  virtual bool follows_inbox() const { return false; }
  virtual void OnRun(LiveRun& run) = 0;
  virtual void OnEntry(const EntryNotice& notice, SharedPayload& payload) = 0;
  // A durable notice for this user only; never dropped under load.
  virtual void OnNotice(SharedPayload& payload) = 0;
  virtual void OnEphemeral(const ThreadId& thread, SharedPayload& payload) = 0;
};

class Hub {
 public:
  Hub(Framer framer, protocol::Metrics& metrics);

  void Add(Subscriber* subscriber);
  void Remove(Subscriber* subscriber);  // from its opened threads, too
  void OpenThread(Subscriber* subscriber, const ThreadId& thread);
  void CloseThread(Subscriber* subscriber, const ThreadId& thread);

  // Lets staff who are not members receive a thread's events until LookAway or CloseThread.
  void Look(Subscriber* subscriber, const ThreadId& thread);
  void LookAway(Subscriber* subscriber, const ThreadId& thread);

  // Delivers changes, which come in the order of their commits. Keeps the order within each thread.
  void Deliver(std::span<const threads::CommittedChangePtr> changes);
  // Returns the number of sessions to which Deliver sends the change's events.
  size_t CountRecipients(const threads::CommittedChange& change);
  // Delivers the notices of one pass, see NoticeSink; skips users who were removed since.
  void DeliverEntries(const std::vector<EntryNotice>& notices, storage::Position through);
  // Call after reporting a removal to a session ahead of live delivery; see Departures.
  void NoteRemoved(const Subscriber& subscriber, const ThreadId& thread, int64_t seq,
                   storage::Position position) {
    departures_.Note(subscriber.tenant(), thread, subscriber.user(), seq, position);
  }
  // Returns true if the hub needs the end of a pass even without notices. Any thread.
  bool awaits_pass() const { return departures_.waits(); }

  // Returns the sessions that opened a thread.
  std::vector<Subscriber*> Openers(const TenantId& tenant, const ThreadId& thread) const;
  const std::vector<Subscriber*>* SessionsOf(const TenantId& tenant,
                                             const UserId& user) const NO_THREAD_SAFETY_ANALYSIS;
  // Returns true if any session receives this user's inbox entries. Any thread.
  bool Wants(const TenantId& tenant, const UserId& user) const { return CountSessions(tenant, user) > 0; }
  size_t CountSessions(const TenantId& tenant, const UserId& user) const;
  const Framer& framer() const { return framer_; }
  size_t sessions() const { return session_count_; }
  size_t followers() const { return followers_; }  // sessions that follow their inbox; any thread

 private:
  static std::string UserName(const TenantId& tenant, const UserId& user) {
    return tenant.value.text() + '\0' + user.value;
  }
  static std::string ThreadName(const TenantId& tenant, const ThreadId& thread) {
    return tenant.value.text() + '\0' + std::string(thread.ulid.raw());
  }

  std::vector<Subscriber*> OnlookersOf(const threads::CommittedChange& change) const;
  // Delivers a new or changed message request to its two users, each in the form that they may see.
  void DeliverRequest(const threads::CommittedChange& change, const threads::RequestRow& request);
  void DeliverRun(std::span<const threads::CommittedChange* const> changes);
  // The events of a run for one class of recipients: in full, with `skip` in place of restricted events, or
  // with `skip` for all events if the recipient has not accepted a request.
  class RunPayloads;

  const Framer framer_;
  Departures departures_;
  Audiences audiences_;
  // Lets CountSessions read users_ from other threads; only the loop's thread writes it.
  mutable protocol::Mutex mutex_;
  std::unordered_map<std::string, std::vector<Subscriber*>> users_ GUARDED_BY(mutex_);
  std::unordered_map<std::string, std::vector<Subscriber*>> openers_;
  std::unordered_map<Subscriber*, std::unordered_set<std::string>> opened_;
  std::unordered_map<std::string, std::vector<Subscriber*>> onlookers_;  // few: staff at work
  std::atomic<size_t> session_count_{0}, followers_{0};
  protocol::Counter deliveries_;
};

}  // namespace parley::fanout
