// Hands domain events on to the tenants' back ends: reads from the change log what tenants asked to be told
// of (threads/model/change.h, ToldEvent) and has the item writer make rows of it, exactly once
// (event_rows.h). Which kinds a tenant wants is decided where the change is decided, so an event is wanted or
// not as of that moment, however late it is read here.
//
// One write is under way at a time; while it is, the worker goes on with the projections. Entries that tell
// nothing move the place in memory, which is saved now and then as the projections' cursors are: after a
// crash they are passed over again. What is saved of the two places counts as the later one.
//
// Thread contract: the worker's thread; the answer to its write may come on any other.
#pragma once

#include <functional>
#include <memory>

#include "fanout/event_rows.h"
#include "fanout/log_follower.h"
#include "protocol/base/metrics.h"
#include "protocol/base/mutex.h"
#include "storage/engine/item_writer.h"

namespace parley::fanout {

class EventRelay final : public LogFollower {
 public:
  struct Settings {
    size_t entries = 512;                 // looked at together
    size_t bytes = size_t{1} << 20;       // of entries that tell something: one more may come on top
    storage::Position save_every = 4096;  // how far it may go unsaved
  };
  // `submit` as ItemWriter::Submit; `wake` wakes the worker, from any thread.
  EventRelay(storage::Table& table, std::function<bool(storage::ItemJob&)> submit, std::function<void()> wake,
             Settings settings, protocol::Metrics& metrics);
  ~EventRelay() override;

  storage::Status Open() override;
  bool Step() override;
  bool stuck() const override { return stuck_; }
  storage::Position saved() const override { return saved_; }
  void Save() override;

  // Everything up to here is a row, or is none.
  storage::Position position() const { return position_; }
  bool writing() const { return write_ != nullptr; }

 private:
  struct Probe;
  struct Write;  // that is under way, shared with its job
  struct Batch {
    std::vector<TellingEntry> entries;
    storage::Position through = 0;
    bool sound = true;
  };
  storage::Status ReadBatch(Batch* out) const;
  bool Begin(Batch batch);
  bool Conclude();
  bool Refuse();

  storage::Table& table_;
  const std::function<bool(storage::ItemJob&)> submit_;
  const std::function<void()> wake_;
  const Settings settings_;
  const std::unique_ptr<Probe> probe_;
  storage::Position position_ = 0, saved_ = 0;
  bool stuck_ = false;
  std::shared_ptr<Write> write_;
};

}  // namespace parley::fanout
