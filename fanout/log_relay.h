// Delivers from the change log to rows exactly once: reads the entries that have a certain field, and has the
// item writer make rows of them in a decision that also stores the relay's position. Rows and position reach
// the disk together or not at all, and a decision skips entries that the position includes.
//
// One write is under way at a time, and the worker continues with the projections during it. Entries without
// the field move only the position in memory, which is saved now and then, like the projections' cursors;
// after a crash they are skipped again. The later of the two saved positions counts.
//
// Thread contract: the worker's thread; a write's result may arrive on any other. reached() on any.
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

struct RelayedEntry {
  storage::Position position = 0;
  threads::ChangeEntry entry;  // an entry with the field
};

struct RelayOutcome {
  bool done = false;   // false if nothing was written; retry
  size_t rows = 0;     // new rows
  size_t cut = 0;      // new rows without their item, which was too large
  size_t refused = 0;  // entries that could not become rows at all
};

// Defines the field to relay, and the rows to make of it.
class RelayTask {
 public:
  virtual ~RelayTask() = default;
  virtual std::string_view name() const = 0;   // names its cursor. WARNING: on disk
  virtual std::string_view field() const = 0;  // the field; entries without it are skipped
  virtual bool HasField(const threads::ChangeEntry& entry) const = 0;
  virtual storage::Status ReadPlace(const storage::Reader& reader, storage::Position* out) const = 0;
  // The decision: stores the rows of the entries, in order, and the position `through`. On the writer's
  // thread.
  virtual RelayOutcome Write(storage::ItemTransaction& tx, const std::vector<RelayedEntry>& entries,
                             storage::Position through) const = 0;
};

struct RelaySettings {
  size_t entries = 512;                 // read at once
  size_t bytes = size_t{1} << 20;       // in one write; its last entry may exceed it
  storage::Position save_every = 4096;  // entries without the field before the position is saved
};

class LogRelay : public LogFollower {
 public:
  using Settings = RelaySettings;
  // `submit` as ItemWriter::Submit; `wake` wakes the worker, from any thread. `on_written` is called on the
  // worker's thread after each write is on disk.
  LogRelay(std::shared_ptr<const RelayTask> task, storage::Table& table,
           std::function<bool(storage::ItemJob&)> submit, std::function<void()> wake, Settings settings,
           std::function<void(const RelayOutcome&)> on_written);
  ~LogRelay() override;

  storage::Status Open() override;
  bool Step() override;
  bool stuck() const override { return stuck_; }
  bool awaited() const override { return reached_.awaited(); }
  storage::Position saved() const override { return saved_; }
  void Save() override;

  // Returns the position up to which everything is stored or skipped.
  storage::Position position() const { return position_; }
  bool writing() const { return write_ != nullptr; }
  Watermark& reached() { return reached_; }

 private:
  struct Write;  // the write under way, shared with its job
  struct Batch {
    std::vector<RelayedEntry> entries;
    storage::Position through = 0;
    bool sound = true;
  };
  bool MayHaveField(std::string_view entry) const;
  storage::Status ReadBatch(Batch* out) const;
  bool Begin(Batch batch);
  bool Conclude();
  bool Refuse();
  void MoveTo(storage::Position position);

  const std::shared_ptr<const RelayTask> task_;
  const std::string mark_;  // the field's name in MessagePack
  storage::Table& table_;
  const std::function<bool(storage::ItemJob&)> submit_;
  const std::function<void()> wake_;
  const Settings settings_;
  const std::function<void(const RelayOutcome&)> on_written_;
  storage::Position position_ = 0, saved_ = 0;
  bool stuck_ = false;
  std::shared_ptr<Write> write_;
  Watermark reached_;
};

}  // namespace parley::fanout
