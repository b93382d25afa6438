// Proof of the inbox: recomputes from threads' rows, with naive code of its own, every sequence, unread
// number, inbox row and project row, and reports what differs. Shares with the server the key and row
// formats, the text of previews and nothing else: not a line of the projections, of entry.h, or of the
// commands.
//
// Works on a stopped store, a checkpoint, or a running one's table. Threads whose change-log entries a
// projection has yet to look at are checked in themselves, but not against that projection (counted as
// `pending`): to judge everything, let the projections catch up first.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "protocol/base/time.h"
#include "storage/table.h"

namespace parley::fanout {

struct VerifyReport {
  size_t threads = 0;
  size_t messages = 0;
  size_t inbox_rows = 0;
  size_t project_rows = 0;
  size_t pending = 0;  // threads a projection is behind on
  size_t differences = 0;
  std::vector<std::string> repairs;  // what the server found and wrote anew while it ran (scrub.h)
};

// Calls `differs` with a sentence per difference. The status is storage's; when it is not ok the report is
// worth nothing.
storage::Status VerifyStore(const storage::Table& table, protocol::Time now,
                            const std::function<void(const std::string&)>& differs, VerifyReport* report);

}  // namespace parley::fanout
