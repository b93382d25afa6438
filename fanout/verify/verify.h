// Proof of the inbox: recomputes every sequence, unread number, inbox row and project row from threads' rows,
// with separate, naive code, and reports what differs; tables are proved beside it
// (storage/engine/item_check.h). Shares with the server only the key and row formats and the text of
// previews: no code of the projections, of entry.h, or of the commands.
//
// Works on a stopped store, a checkpoint, or a running server's table. Threads whose change-log entries a
// projection has yet to process (or with events that are yet to become rows) are checked in themselves, but
// not against that projection (counted as `pending`): to judge everything, let the projections catch up
// first.
#pragma once

#include <functional>
#include <string>
#include <vector>

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
  size_t pending = 0;              // threads for which a projection is behind
  storage::ItemCheckReport items;  // of the table engine
  size_t differences = 0;
  std::vector<std::string> repairs;  // what the server found and repaired while it ran (scrub.h)
};

// Calls `differs` with a sentence per difference. The status is storage's; if it is not ok, disregard the
// report.
storage::Status VerifyStore(const storage::Table& table, protocol::Time now,
                            const std::function<void(const std::string&)>& differs, VerifyReport* report);

}  // namespace parley::fanout
