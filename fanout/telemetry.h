// The names under which products count what happens in their conversations, and where each is told: as one
// table, from which the rows of integration events get their `telemetry` and docs/telemetry.md is printed.
//
// A name of the table holds no more than that it happened; the row has the ids. Derived here, from what the
// change log tells, so it is there exactly once, as the row is.
//
// Thread contract: pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/events.h"
#include "storage/items/attribute.h"

namespace parley::fanout {

struct TelemetryName {
  enum class Where : uint8_t {
    kEvent,    // the event `kind` itself
    kNamed,    // an event of `kind` that has the name among its `telemetry`
    kAudit,    // the tenant's audit, which `note` names the action of
    kNowhere,  // `note` says why
  };
  std::string_view name;
  Where where = Where::kNowhere;
  protocol::EventKind kind = protocol::EventKind::kSkip;  // kSkip: none
  // kNamed: whether the event's item tells it.
  bool (*tells)(const storage::Item& item) = nullptr;
  std::string_view note = {};
};
std::span<const TelemetryName> TelemetryNames();

// Of one event, in the table's order.
std::vector<std::string_view> TelemetryOf(protocol::EventKind kind, const storage::Item& item);

std::string TelemetryManual();  // Markdown

}  // namespace parley::fanout
