#include "features/events/event_relay.h"

namespace parley::features {

namespace {

class EventTask final : public fanout::RelayTask {
 public:
  std::string_view name() const override { return "events"; }
  std::string_view field() const override { return "told"; }
  bool HasField(const threads::ChangeEntry& entry) const override {
    return entry.subscribed.value.has_value();
  }
  storage::Status ReadPlace(const storage::Reader& reader, storage::Position* out) const override {
    RelayPlace place;
    auto status = ReadRelayPlace(reader, &place);
    *out = place.position;
    return status;
  }
  fanout::RelayOutcome Write(storage::ItemTransaction& tx, const std::vector<fanout::RelayedEntry>& entries,
                             storage::Position through) const override {
    return WriteEventRows(tx, entries, through);
  }
};

std::function<void(const fanout::RelayOutcome&)> CountEventsIn(protocol::Metrics& metrics) {
  auto events = metrics.AddCounter("parley_event_rows_total", "Domain events that became rows of Events");
  auto cut =
      metrics.AddCounter("parley_event_rows_cut_total", "Domain events whose item was too large for a row");
  auto refused =
      metrics.AddCounter("parley_event_rows_refused_total", "Domain events that could not become rows");
  return [events, cut, refused](const fanout::RelayOutcome& outcome) mutable {
    events.Add(static_cast<double>(outcome.rows));
    cut.Add(static_cast<double>(outcome.cut));
    refused.Add(static_cast<double>(outcome.refused));
  };
}

}  // namespace

EventRelay::EventRelay(storage::Table& table, std::function<bool(storage::ItemJob&)> submit,
                       std::function<void()> wake, Settings settings, protocol::Metrics& metrics)
    : fanout::LogRelay(std::make_shared<EventTask>(), table, std::move(submit), std::move(wake), settings,
                       CountEventsIn(metrics)) {
  metrics.AddReadGauge("parley_event_relay_lag",
                       "Change-log entries that the relay of domain events has not read yet", [&table, this] {
                         const auto last = table.LastPosition(), seen = reached().position();
                         return last > seen ? static_cast<double>(last - seen) : 0.0;
                       });
}

}  // namespace parley::features
