// moderation.queue: lists cases, newest first, and the threads with open ones. A page examines a bounded
// number of cases, so it may be short although others follow.
//
// Thread contract: records.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accounts/records/records.h"
#include "features/moderation/ops.h"

namespace parley::features {

struct CasePage {
  std::vector<Case> cases;
  std::optional<std::string> next;  // the start of the next page; none: this was the last
};
// The caller of all these, who must not see cases about themselves; none: a service.
using Viewer = std::optional<protocol::UserId>;
// `after`: `next` of the previous page, with the same filters. BAD_REQUEST if it is invalid.
protocol::Result<CasePage> ListCases(const accounts::RecordReads& reads, const Viewer& viewer,
                                     const ModerationQueue::Args& args, size_t limit,
                                     const std::optional<std::string>& after);
protocol::Result<CaseStats> CountCases(const accounts::RecordReads& reads, const Viewer& viewer);

// Threads with an open case, newest thread first, each once.
struct OpenThreadsPage {
  std::vector<protocol::ThreadId> threads;
  std::optional<std::string> next;
};
protocol::Result<OpenThreadsPage> ThreadsWithCases(const accounts::RecordReads& reads, const Viewer& viewer,
                                                   size_t limit, const std::optional<std::string>& after);

}  // namespace parley::features
