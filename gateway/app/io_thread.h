// One I/O thread's share of the node: its loop, the sessions on it, and what they need close by. What the
// I/O threads have in common (storage, executor, worker) is the node's.
//
// Durable events come to every I/O thread, each of which encodes and frames them once for its own sessions.
// Presence and typing are each I/O thread's own memory too; what changes is told to the others.
//
// Thread contract: everything on the loop's thread unless said otherwise.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "fanout/hub.h"
#include "fanout/live_delivery.h"
#include "fanout/watermark.h"
#include "gateway/app/ephemera.h"
#include "gateway/app/missed_pages.h"
#include "gateway/app/op_meter.h"
#include "gateway/app/revocation.h"
#include "gateway/net/loop.h"
#include "threads/engine/executor.h"

namespace parley::gateway {

class Node;

// What a read is answered for which I/O thread::MakeRoom found none.
protocol::Error NoRoom();
// What a read is answered that found too many waiting for a reader thread.
protocol::Error TooManyReads();

struct ReadRoad;

// Whoever asks for reads, and sees to it that those which memory could not answer have their turn.
class ColdReads {
 public:
  virtual ~ColdReads() = default;
  // `read` runs on a thread of the pool, `then` on the loop behind it, or alone where too many wait. If
  // whoever asked goes away, neither need be called.
  virtual void ReadCold(std::function<void(const storage::Reader&)> read, std::function<void()> then,
                        const ReadRoad& road) = 0;
  // Others of the same asker wait, so that this one would overtake them: it does not read yet.
  virtual bool MustWait() const = 0;
};
// By which way a read goes that memory could not answer.
struct ReadRoad {
  std::weak_ptr<ColdReads> reads;
  bool has_turn = false;   // the turn is the asker's already
  std::string owner = {};  // the tenant that asks, for fairness; empty: it is not known yet
};

// Handles its input when the I/O thread calls Pump; a session.
class Pumped {
 public:
  virtual ~Pumped() = default;
  virtual void Pump() = 0;
};

class IoThread final : private EphemeraPeers {
 public:
  // `index` counts from 0: the node's I/O threads in the order they were made.
  IoThread(Node& node, uint32_t index, Loop& loop, fanout::Framer framer,
           std::unique_ptr<protocol::IdSource> ids);

  Node& node() { return node_; }
  Loop& loop() { return loop_; }
  uint32_t index() const { return index_; }
  fanout::Hub& hub() { return hub_; }
  fanout::LiveDelivery& live() { return live_; }
  Ephemera& ephemera() { return ephemera_; }
  OpMeters& ops() { return ops_; }
  MissedPages& missed_pages() { return missed_pages_; }
  protocol::IdSource& ids() { return *ids_; }

  // What the sessions heard in a turn of the loop is handled at its end, and the commands among it reach the
  // executor together: one hand-over, and a group to commit instead of one after another.
  void PumpSoon(std::weak_ptr<Pumped> session);
  // `job.done` is called on this I/O thread's loop.
  void Submit(threads::Job job);

  // Calls `done` once `projection` includes everything acknowledged by now, or with false after
  // config().inbox_wait_ms, or at once while the projection stands still.
  void AwaitProjection(fanout::ProjectionId projection, std::function<void(bool)> done);
  // The same for the audit chains: what staff did in threads is in them.
  void AwaitAudit(std::function<void(bool)> done);

  // Whether an answer may be made now: what is held for readers leaves room for one, if need be after those
  // that hold the most were let go. Where not, the other I/O threads make room, and NoRoom() is the answer.
  bool MakeRoom();
  // How this I/O thread's transport frees bytes.
  void set_relief(std::function<void(size_t)> relieve) { relieve_ = std::move(relieve); }

  // Ends sessions. Whoever is being judged meanwhile sees by the count that they are to be judged again.
  void Revoke(const Revocation& revocation);
  uint64_t revocations() const { return revocations_; }
  // How this I/O thread's sessions hear of it.
  void set_revoker(std::function<void(const Revocation&)> tell) { tell_revoked_ = std::move(tell); }

  // For reads of those who have no session: straight to the pool. Without a tenant: of those of whom it is
  // not known yet.
  ReadRoad road(const TenantId& tenant) const { return {strangers_, false, tenant.ToText()}; }
  ReadRoad road() const { return {strangers_, false}; }

  // What is stored now. One view serves all reads of a turn of the loop between which nothing was written:
  // taking it costs as much as reading a few rows.
  std::shared_ptr<const storage::Reader> View();

  // Answers to what this I/O thread submitted. Any thread.
  void Answer(std::vector<threads::Finished> finished);

 private:
  void OnPresence(const TenantId& tenant, const UserId& user, bool online) override;
  void OnTyping(const TenantId& tenant, const ThreadId& thread, const UserId& user, bool typing) override;
  void Await(fanout::Watermark& watermark, storage::Position needed, std::function<void(bool)> done);
  void TellOthers(std::function<void(Ephemera&)> what);
  void OnSeen(const threads::CommittedChange& change);
  void PostPump();
  void Pump();
  bool RelieveHere();

  class Strangers;

  Node& node_;
  const uint32_t index_;
  Loop& loop_;
  const std::shared_ptr<ColdReads> strangers_;
  const std::unique_ptr<protocol::IdSource> ids_;
  fanout::Hub hub_;
  fanout::LiveDelivery live_;
  Ephemera ephemera_;
  OpMeters ops_;
  MissedPages missed_pages_;
  std::vector<std::weak_ptr<Pumped>> heard_;  // sessions with input
  std::vector<threads::Job> commands_;        // on their way to the executor
  bool pump_posted_ = false;
  std::function<void(size_t)> relieve_;
  std::function<void(const Revocation&)> tell_revoked_;
  uint64_t revocations_ = 0;
  // The view of this turn, and what had been written when it was taken.
  std::shared_ptr<const storage::Reader> view_;
  uint64_t view_turns_ = 0, view_passes_ = 0;
};

}  // namespace parley::gateway
