// moderation.queue: cases in lists, newest first, and which threads have open ones. A page looks at a bounded
// number of cases, so it may be short although others follow.
//
// Thread contract: records.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accounts/records/records.h"
#include "protocol/ops/moderation.h"

namespace parley::accounts {

struct CasePage {
  std::vector<protocol::Case> cases;
  std::optional<std::string> next;  // where the next page begins; none: this was the last
};
// Who asks, in all of these: they are not told of cases about them; none: a service.
using Viewer = std::optional<protocol::UserId>;
// `after`: `next` of the page before, with the same filters. BAD_REQUEST: it is none.
protocol::Result<CasePage> ListCases(const RecordReads& reads, const Viewer& viewer,
                                     const protocol::ModerationQueue::Args& args, size_t limit,
                                     const std::optional<std::string>& after);
protocol::Result<protocol::CaseStats> CountCases(const RecordReads& reads, const Viewer& viewer);

// Threads with an open case, newest thread first, each once.
struct OpenThreadsPage {
  std::vector<protocol::ThreadId> threads;
  std::optional<std::string> next;
};
protocol::Result<OpenThreadsPage> ThreadsWithCases(const RecordReads& reads, const Viewer& viewer,
                                                   size_t limit, const std::optional<std::string>& after);

}  // namespace parley::accounts
