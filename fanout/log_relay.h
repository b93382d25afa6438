// Hands on what the change log tells in passing: reads the entries that say something of a kind, and has the
// item writer make rows of it, in a decision that also notes how far it has come. So what an entry says is
// handed on exactly once: rows and place are on disk together or not at all, and a decision passes over what
// the place includes.
//
// One write is under way at a time; while it is, the worker goes on with the projections. Entries that tell
// nothing move the place in memory, which is saved now and then as the projections' cursors are: after a
// crash they are passed over again. What is saved of the two places counts as the later one.
//
// Thread contract: the worker's thread; the answer to its write may come on any other. reached() on any.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/log_follower.h"
#include "fanout/watermark.h"
#include "protocol/base/metrics.h"
#include "storage/engine/item_writer.h"
#include "threads/model/change.h"

namespace parley::fanout {

struct TellingEntry {
  storage::Position position = 0;
  threads::ChangeEntry entry;  // that tells something
};

struct RelayOutcome {
  bool done = false;   // else nothing was decided that counts, and it may be tried again
  size_t rows = 0;     // new ones
  size_t cut = 0;      // of these, without all that they were to hold: it was too large
  size_t refused = 0;  // of what was told, what could not become rows at all
};

// What is relayed, and into what.
class RelayTask {
 public:
  virtual ~RelayTask() = default;
  virtual std::string_view name() const = 0;   // of its cursor. WARNING: on disk
  virtual std::string_view field() const = 0;  // of the entry: one without it tells nothing
  virtual bool Tells(const threads::ChangeEntry& entry) const = 0;
  virtual storage::Status ReadPlace(const storage::Reader& reader, storage::Position* out) const = 0;
  // A decision: the entries in order, and with them the place `through`. On the writer's thread.
  virtual RelayOutcome Write(storage::ItemTransaction& tx, const std::vector<TellingEntry>& entries,
                             storage::Position through) const = 0;
};

struct RelaySettings {
  size_t entries = 512;                 // looked at together
  size_t bytes = size_t{1} << 20;       // of entries that tell something: one more may come on top
  storage::Position save_every = 4096;  // how far it may go unsaved
};

class LogRelay : public LogFollower {
 public:
  using Settings = RelaySettings;
  // `submit` as ItemWriter::Submit; `wake` wakes the worker, from any thread. `told` hears, on the worker's
  // thread, of each write that is on disk.
  LogRelay(std::shared_ptr<const RelayTask> task, storage::Table& table,
           std::function<bool(storage::ItemJob&)> submit, std::function<void()> wake, Settings settings,
           std::function<void(const RelayOutcome&)> told);
  ~LogRelay() override;

  storage::Status Open() override;
  bool Step() override;
  bool stuck() const override { return stuck_; }
  bool awaited() const override { return reached_.awaited(); }
  storage::Position saved() const override { return saved_; }
  void Save() override;

  // Everything up to here was handed on, or tells nothing.
  storage::Position position() const { return position_; }
  bool writing() const { return write_ != nullptr; }
  Watermark& reached() { return reached_; }

 private:
  struct Write;  // that is under way, shared with its job
  struct Batch {
    std::vector<TellingEntry> entries;
    storage::Position through = 0;
    bool sound = true;
  };
  bool MayTell(std::string_view entry) const;
  storage::Status ReadBatch(Batch* out) const;
  bool Begin(Batch batch);
  bool Conclude();
  bool Refuse();
  void MoveTo(storage::Position position);

  const std::shared_ptr<const RelayTask> task_;
  const std::string mark_;  // the field's name, as MessagePack has it
  storage::Table& table_;
  const std::function<bool(storage::ItemJob&)> submit_;
  const std::function<void()> wake_;
  const Settings settings_;
  const std::function<void(const RelayOutcome&)> told_;
  storage::Position position_ = 0, saved_ = 0;
  bool stuck_ = false;
  std::shared_ptr<Write> write_;
  Watermark reached_;
};

}  // namespace parley::fanout
