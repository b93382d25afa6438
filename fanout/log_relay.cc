#include "fanout/log_relay.h"

#include <algorithm>

#include "protocol/base/log.h"
#include "protocol/base/mutex.h"
#include "protocol/encode.h"
#include "storage/engine/item_change.h"

namespace parley::fanout {

struct LogRelay::Write {
  std::vector<RelayedEntry> entries;
  storage::Position through = 0;
  RelayOutcome outcome;  // owned by the item writer until the write ends

  protocol::Mutex mutex;
  bool over GUARDED_BY(mutex) = false;
  bool on_disk GUARDED_BY(mutex) = false;
  std::function<void()> wake GUARDED_BY(mutex);  // empty if the relay was destroyed
};

LogRelay::LogRelay(std::shared_ptr<const RelayTask> task, storage::Table& table,
                   std::function<bool(storage::ItemJob&)> submit, std::function<void()> wake,
                   Settings settings, std::function<void(const RelayOutcome&)> on_written)
    : task_(std::move(task)),
      mark_(protocol::Encode(std::string(task_->field()))),
      table_(table),
      submit_(std::move(submit)),
      wake_(std::move(wake)),
      settings_(settings),
      on_written_(std::move(on_written)) {}

LogRelay::~LogRelay() {
  if (!write_) return;
  protocol::MutexLock lock(&write_->mutex);
  write_->wake = nullptr;
}

storage::Status LogRelay::Open() {
  storage::Position place = 0, cursor = 0, first = 0;
  if (auto status = task_->ReadPlace(table_, &place); !status.ok()) return status;
  if (auto status = table_.ReadCursor(task_->name(), &cursor); !status.ok()) return status;
  MoveTo(std::max(place, cursor));
  saved_ = position_;
  auto status = table_.ReadLog(position_, 1, [&](storage::Position position, std::string_view) {
    first = position;
    return false;
  });
  // A release without this relay has trimmed the log, but it wrote no entries with the field.
  if (status.ok() && position_ > 0 && first > position_ + 1) {
    protocol::Log(protocol::LogLevel::kWarn, "fanout", "the change log begins after the position of a relay",
                  {{"relay", std::string(task_->name())},
                   {"place", std::to_string(position_)},
                   {"log", std::to_string(first)}});
  }
  return status;
}

// Skips most entries without decoding them. An entry that contains the name elsewhere is decoded and then
// skipped.
bool LogRelay::MayHaveField(std::string_view entry) const {
  return !storage::IsItemEntry(entry) && entry.find(mark_) != std::string_view::npos;
}

storage::Status LogRelay::ReadBatch(Batch* out) const {
  out->through = position_;
  size_t bytes = 0;
  return table_.ReadLog(position_, settings_.entries,
                        [&](storage::Position position, std::string_view entry) {
                          RelayedEntry one{position, {}};
                          const bool decoded = MayHaveField(entry);
                          out->sound = !decoded || threads::DecodeChangeEntry(entry, &one.entry);
                          if (!out->sound) return false;
                          out->through = position;
                          if (!decoded || !task_->HasField(one.entry)) return true;
                          out->entries.push_back(std::move(one));
                          bytes += entry.size();
                          return bytes < settings_.bytes;
                        });
}

bool LogRelay::Step() {
  if (write_) return Conclude();
  Batch batch;
  const auto status = ReadBatch(&batch);
  stuck_ = !status.ok() || (!batch.sound && batch.through == position_);
  if (stuck_ || batch.through == position_) return false;
  if (!batch.entries.empty()) return Begin(std::move(batch));
  MoveTo(batch.through);
  if (position_ - saved_ >= settings_.save_every) Save();
  return true;
}

bool LogRelay::Begin(Batch batch) {
  auto write = std::make_shared<Write>();
  write->entries = std::move(batch.entries);
  write->through = batch.through;
  {
    protocol::MutexLock lock(&write->mutex);
    write->wake = wake_;
  }
  storage::ItemJob job;
  job.decide = [task = task_, write](storage::ItemTransaction& tx) {
    write->outcome = task->Write(tx, write->entries, write->through);
  };
  job.done = [write](const storage::Status& done) {
    protocol::MutexLock lock(&write->mutex);
    write->over = true;
    write->on_disk = done.ok();
    if (write->wake) write->wake();
  };
  if (!submit_(job)) return Refuse();
  write_ = std::move(write);
  return true;
}

bool LogRelay::Refuse() {
  stuck_ = true;
  return false;
}

bool LogRelay::Conclude() {
  const std::shared_ptr<Write> write = write_;
  bool on_disk = false;
  {
    protocol::MutexLock lock(&write->mutex);
    if (!write->over) return false;
    on_disk = write->on_disk;
  }
  write_.reset();
  if (!on_disk || !write->outcome.done) return Refuse();
  on_written_(write->outcome);
  MoveTo(write->through);
  saved_ = position_;
  stuck_ = false;
  return true;
}

void LogRelay::MoveTo(storage::Position position) {
  position_ = position;
  reached_.Advance(position);
}

void LogRelay::Save() {
  if (position_ != saved_ && table_.Apply({}, task_->name(), position_).ok()) saved_ = position_;
}

}  // namespace parley::fanout
