// The names under which products count what happens in their conversations, and where each is told: as one
// table, from which the rows of integration events get their `telemetry` and docs/telemetry.md is printed.
//
// A name of the table holds no more than that it happened; the row has the ids. Derived here, from what the
// change log tells, so it is there exactly once, as the row is.
//
// Thread contract: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocol/events.h"
#include "storage/items/attribute.h"

namespace parley::fanout {

// Of one event, in the table's order.
std::vector<std::string_view> TelemetryOf(protocol::EventKind kind, const storage::Item& item);

std::string TelemetryManual();  // Markdown

}  // namespace parley::fanout
