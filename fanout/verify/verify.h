// Recomputes all sequences, unread numbers and derived rows from the threads' rows with separate, naive code,
// and reports each difference; storage/engine/item_check.h checks the tables' rows. Shares only the formats
// of keys and rows and the text of previews with the server, and no code of projections or commands.
//
// Works on a stopped store, a checkpoint, or a running server's table. If a projection or relay has not
// processed all log entries of a thread, the thread counts as `pending`: its own rows are checked, but not
// the derived ones. To check everything, let the projections catch up first.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fanout/verify/facts.h"
#include "protocol/base/time.h"
#include "storage/engine/item_check.h"
#include "storage/table.h"

namespace parley::fanout {

struct VerifyReport {
  size_t threads = 0;
  size_t messages = 0;
  size_t inbox_rows = 0;
  size_t project_rows = 0;
  size_t audit_entries = 0;
  size_t pending = 0;              // threads that a projection or relay has not finished
  storage::ItemCheckReport items;  // from the table engine
  size_t differences = 0;
  std::vector<std::string> repairs;  // differences that the running server repaired (scrub.h)
};

// Calls `differs` with a sentence for each difference. Returns storage's status; if it is not ok, disregard
// the report. `features`: the checks of the features' rows, which run after those of the core.
storage::Status VerifyStore(const storage::Table& table, protocol::Time now,
                            std::span<const MakeFacts> features,
                            const std::function<void(const std::string&)>& differs, VerifyReport* report);

}  // namespace parley::fanout
