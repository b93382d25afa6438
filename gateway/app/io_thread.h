// One I/O thread's share of the node: its loop, its sessions and the objects that they use. Storage,
// executors and the worker are shared and belong to the node. Implements the host of features.
//
// Every I/O thread receives durable events and encodes and frames them once for its own sessions. Presence
// and typing are in each I/O thread's own memory, and changes are sent to the others.
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
#include "features/host/host.h"
#include "gateway/app/ephemera.h"
#include "gateway/app/missed_pages.h"
#include "gateway/app/op_meter.h"
#include "gateway/app/revocation.h"
#include "gateway/net/loop.h"

namespace parley::gateway {

class Node;

using features::ColdReads;
using features::ReadRoad;

// Handles its input when the I/O thread calls Pump; a session.
class Pumped {
 public:
  virtual ~Pumped() = default;
  virtual void Pump() = 0;
};

class IoThread final : public features::Host, private EphemeraPeers {
 public:
  // The rows that one read on the loop may examine: several usual pages. A larger read runs on a reader
  // thread, because all other sessions of the loop would wait for it.
  static constexpr size_t kBytesOnLoop = size_t{128} << 10;

  // `index`: the number of the I/O thread in the node, from 0.
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
  const Node& node() const { return node_; }

  // Pumps the session at the end of the loop's turn. The commands of all sessions then reach the executor
  // together, and are committed as a group.
  void PumpSoon(std::weak_ptr<Pumped> session);
  // The function that frees bytes of this I/O thread's transport.
  void set_relief(std::function<void(size_t)> relieve) { relieve_ = std::move(relieve); }

  // Ends sessions. A credential that is being judged compares the count, and is judged again if it rose.
  void Revoke(const Revocation& revocation);
  uint64_t revocations() const { return revocations_; }
  // The function that passes a revocation to this I/O thread's sessions.
  void set_revoker(std::function<void(const Revocation&)> revoke) { revoke_ = std::move(revoke); }

  // Reads of callers without a session wait in the pool's queue, those of unknown tenants together.
  ReadRoad road() const { return {strangers_, false}; }

  // As Await, for one projection.
  void AwaitProjection(fanout::ProjectionId projection, std::function<void(bool)> done);

  // features::Host
  const protocol::Clock& clock() const override;
  const storage::Sealer& sealer() const override;
  accounts::TenantPtr FindTenant(const TenantId& tenant) const override;
  threads::ReadContext ContextOf(const storage::Reader& reader, const threads::Caller& caller) const override;
  const threads::CursorCodec& cursors() const override;
  features::Service* FindService(std::string_view feature) const override;
  void Post(std::function<void()> done) override { loop_.Post(std::move(done)); }
  size_t max_body_bytes() const override;
  threads::TenantRules RulesOf(const TenantId& tenant) const override;
  protocol::Result<std::optional<protocol::StartCount>> StartsOf(
      const threads::ReadContext& context) const override;
  uint64_t NextPairChange() override;
  protocol::IdSource& ids() override { return *ids_; }
  ReadRoad road(const TenantId& tenant) const override { return {strangers_, false, tenant.ToText()}; }
  void Read(const ReadRoad& road, bool answers, std::function<void(const storage::Reader&)> read,
            std::function<void()> then) override;
  void Compose(const TenantId& owner, bool large, WriteText write,
               std::function<void(protocol::Result<std::string>)> then) override;
  bool draining() const override;
  bool MakeRoom() override;
  void Submit(threads::Job job) override;
  bool SubmitItems(storage::ItemJob& job) override;
  void AfterDecisions(const TenantId& tenant, std::function<void()> done) override;
  void Await(threads::Waits indexes, std::function<void(bool)> done) override;
  void Revoke(const TenantId& tenant, const accounts::SessionsToEnd& ends) override;
  void NotePeopleChanged() override;
  void PublishPairChange(const PairChange& change) override;
  std::set<UserId> OnlineOf(const TenantId& tenant, const std::vector<UserId>& users) const override;

  // A snapshot of the store. One serves all reads of a turn of the loop until something is written, because
  // taking it costs as much as reading a few rows.
  std::shared_ptr<const storage::Reader> View();

  // Receives the answers to submitted jobs. Any thread.
  void Answer(std::vector<threads::Finished> finished);

 private:
  void OnPresence(const TenantId& tenant, const UserId& user, bool online) override;
  void OnTyping(const TenantId& tenant, const ThreadId& thread, const UserId& user, bool typing) override;
  void AwaitWatermark(fanout::Watermark& watermark, storage::Position needed, std::function<void(bool)> done);
  void ForwardToOthers(std::function<void(Ephemera&)> what);
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
  std::vector<std::weak_ptr<Pumped>> with_input_;  // sessions with input
  std::vector<threads::Job> commands_;             // on their way to the executor
  bool pump_posted_ = false;
  std::function<void(size_t)> relieve_;
  std::function<void(const Revocation&)> revoke_;
  uint64_t revocations_ = 0;
  // The snapshot of this turn, and the counts of writes at the time it was taken.
  std::shared_ptr<const storage::Reader> view_;
  uint64_t view_turns_ = 0, view_passes_ = 0;
};

}  // namespace parley::gateway
