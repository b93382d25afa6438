#include "fanout/event_relay.h"

#include <algorithm>
#include <atomic>

#include "protocol/base/log.h"
#include "storage/engine/item_change.h"

namespace parley::fanout {

namespace {
constexpr std::string_view kCursor = "events";  // WARNING: on disk

// Most entries tell nothing, and this says so without decoding them: the field's name is not there, as
// MessagePack has it. An entry in which it occurs otherwise is decoded, and then tells nothing either.
bool MayTell(std::string_view entry) {
  constexpr std::string_view kField = "\xa4told";
  return !storage::IsItemEntry(entry) && entry.find(kField) != std::string_view::npos;
}
}  // namespace

struct EventRelay::Probe {
  Probe(protocol::Metrics& metrics, storage::Table& table, const EventRelay& relay)
      : events(metrics.AddCounter("parley_event_rows_total", "Domain events that became rows of Events")),
        cut(metrics.AddCounter("parley_event_rows_cut_total",
                               "Domain events whose item was too large for a row")),
        refused(metrics.AddCounter("parley_event_rows_refused_total",
                                   "Domain events that could not become rows")) {
    metrics.AddReadGauge("parley_event_relay_lag",
                         "Change-log entries that are yet to be looked at for domain events",
                         [&table, &relay] {
                           const auto last = table.LastPosition(), seen = relay.probe_->at.load();
                           return last > seen ? static_cast<double>(last - seen) : 0.0;
                         });
  }
  protocol::Counter events, cut, refused;
  std::atomic<storage::Position> at{0};
};

struct EventRelay::Write {
  std::vector<TellingEntry> entries;
  storage::Position through = 0;
  RelayOutcome outcome;  // the item writer's, until it is over

  protocol::Mutex mutex;
  bool over GUARDED_BY(mutex) = false;
  bool on_disk GUARDED_BY(mutex) = false;
  std::function<void()> wake GUARDED_BY(mutex);  // empty: the relay is gone
};

EventRelay::EventRelay(storage::Table& table, std::function<bool(storage::ItemJob&)> submit,
                       std::function<void()> wake, Settings settings, protocol::Metrics& metrics)
    : table_(table),
      submit_(std::move(submit)),
      wake_(std::move(wake)),
      settings_(settings),
      probe_(std::make_unique<Probe>(metrics, table, *this)) {}

EventRelay::~EventRelay() {
  if (!write_) return;
  protocol::MutexLock lock(&write_->mutex);
  write_->wake = nullptr;
}

storage::Status EventRelay::Open() {
  RelayPlace place;
  storage::Position cursor = 0, first = 0;
  if (auto status = ReadRelayPlace(table_, &place); !status.ok()) return status;
  if (auto status = table_.ReadCursor(kCursor, &cursor); !status.ok()) return status;
  position_ = saved_ = std::max(place.position, cursor);
  probe_->at = position_;
  const auto status = table_.ReadLog(position_, 1, [&](storage::Position position, std::string_view) {
    first = position;
    return false;
  });
  // A release that knew nothing of events has trimmed the log meanwhile; it told none either.
  if (status.ok() && position_ > 0 && first > position_ + 1) {
    protocol::Log(protocol::LogLevel::kWarn, "fanout", "the change log begins behind the place of events",
                  {{"place", std::to_string(position_)}, {"log", std::to_string(first)}});
  }
  return status;
}

storage::Status EventRelay::ReadBatch(Batch* out) const {
  out->through = position_;
  size_t bytes = 0;
  return table_.ReadLog(position_, settings_.entries,
                        [&](storage::Position position, std::string_view entry) {
                          TellingEntry one{position, {}};
                          out->sound = !MayTell(entry) || threads::DecodeChangeEntry(entry, &one.entry);
                          if (!out->sound) return false;
                          out->through = position;
                          if (!one.entry.told.value) return true;
                          out->entries.push_back(std::move(one));
                          bytes += entry.size();
                          return bytes < settings_.bytes;
                        });
}

bool EventRelay::Step() {
  if (write_) return Conclude();
  Batch batch;
  const auto status = ReadBatch(&batch);
  stuck_ = !status.ok() || (!batch.sound && batch.through == position_);
  if (stuck_ || batch.through == position_) return false;
  if (!batch.entries.empty()) return Begin(std::move(batch));
  position_ = batch.through;
  probe_->at = position_;
  if (position_ - saved_ >= settings_.save_every) Save();
  return true;
}

bool EventRelay::Begin(Batch batch) {
  auto write = std::make_shared<Write>();
  write->entries = std::move(batch.entries);
  write->through = batch.through;
  {
    protocol::MutexLock lock(&write->mutex);
    write->wake = wake_;
  }
  storage::ItemJob job;
  job.decide = [write](storage::ItemStage& stage) {
    write->outcome = WriteEventRows(stage, write->entries, write->through);
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

bool EventRelay::Refuse() {
  stuck_ = true;
  return false;
}

bool EventRelay::Conclude() {
  const std::shared_ptr<Write> write = write_;
  bool on_disk = false;
  {
    protocol::MutexLock lock(&write->mutex);
    if (!write->over) return false;
    on_disk = write->on_disk;
  }
  write_.reset();
  if (!on_disk || !write->outcome.done) return Refuse();
  probe_->events.Add(static_cast<double>(write->outcome.events));
  probe_->cut.Add(static_cast<double>(write->outcome.cut));
  probe_->refused.Add(static_cast<double>(write->outcome.refused));
  position_ = saved_ = write->through;
  probe_->at = position_;
  stuck_ = false;
  return true;
}

void EventRelay::Save() {
  if (position_ != saved_ && table_.Apply({}, kCursor, position_).ok()) saved_ = position_;
}

}  // namespace parley::fanout
