// Delivers live events to a session's client: decides which it receives, and defers them while a read is
// being answered.
//
// Events delivered during a read that waits are deferred until after its answer, as if they came only then:
// so a reply contains everything delivered before it, and its effects (an opened thread, a thread that is
// caught up) apply to everything after it.
// Thread contract: the loop's thread. REQUIRES (all but deferring): the client is authenticated.
#pragma once

#include <cstdint>
#include <vector>

#include "fanout/hub.h"
#include "gateway/net/transport.h"

namespace parley::gateway {

struct SessionPieces;

class Delivery final : public fanout::Subscriber {
 public:
  explicit Delivery(SessionPieces& pieces) : s_(pieces) {}

  // fanout::Subscriber
  const protocol::TenantId& tenant() const override;
  const protocol::UserId& user() const override;
  bool is_staff() const override;
  bool follows_inbox() const override;
  void OnRun(fanout::LiveRun& run) override;
  void OnEntry(const fanout::EntryNotice& notice, fanout::SharedPayload& payload) override;
  void OnNotice(fanout::SharedPayload& payload) override;
  void OnEphemeral(const protocol::ThreadId& thread, fanout::SharedPayload& payload) override;

  // Delivers an event for this session alone, such as one of catch-up.
  void Deliver(const SharedFramePtr& frame);

  void StartDeferring() { deferring_ = true; }
  void StopDeferring() { deferring_ = false; }
  void DeliverDeferred();
  void DropDeferred() { deferred_.clear(); }

 private:
  // A delivered event, deferred until a read was answered.
  struct Deferred {
    enum class Kind : uint8_t { kEvent, kEntry, kEphemeral, kOwn };
    Kind kind;
    bool announced = false;    // kEntry
    bool own_removal = false;  // kEvent
    int64_t seq = 0;           // kEvent
    protocol::ThreadId thread;
    SharedFramePtr frame;
  };
  void Defer(Deferred event);
  bool IsStillWanted(const Deferred& event);
  bool MustDefer(const protocol::ThreadId& thread, int64_t seq) const;
  bool Receives(const protocol::ThreadId& thread, int64_t seq, bool own_removal);
  // Both stop delivering the thread if its user may no longer see it.
  bool MayStillLook(const protocol::ThreadId& thread, bool* masked);
  bool MayStillSee(const protocol::ThreadId& thread);
  void StopThread(const protocol::ThreadId& thread);

  SessionPieces& s_;
  std::vector<Deferred> deferred_;
  bool deferring_ = false;
};

}  // namespace parley::gateway
