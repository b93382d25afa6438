// Lists the names under which products count events in their conversations, each with the event that reports
// it. Integration events get their `telemetry` from this table, and docs/telemetry.md is printed from it.
//
// A name only reports that something happened; the row has the ids. Names are derived from the change log, so
// each is reported exactly once, like its row.
//
// Thread contract: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocol/events.h"
#include "storage/items/attribute.h"

namespace parley::features {

// Returns the names of one event, in the table's order.
std::vector<std::string_view> TelemetryOf(protocol::EventKind kind, const storage::Item& item);

std::string TelemetryManual();  // Markdown

}  // namespace parley::features
