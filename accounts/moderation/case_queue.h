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
// `after`: `next` of the page before, with the same filters. BAD_REQUEST: it is none.
protocol::Result<CasePage> ListCases(const RecordReads& reads, const protocol::ModerationQueue::Args& args,
                                     size_t limit, const std::optional<std::string>& after);
protocol::Result<protocol::CaseStats> CountCases(const RecordReads& reads);

// Threads with an open case, newest thread first, each once.
struct OpenThreadsPage {
  std::vector<protocol::ThreadId> threads;
  std::optional<std::string> next;
};
protocol::Result<OpenThreadsPage> ThreadsWithCases(const RecordReads& reads, size_t limit,
                                                   const std::optional<std::string>& after);
protocol::Result<bool> HasOpenCase(const RecordReads& reads, const protocol::ThreadId& thread);

}  // namespace parley::accounts
