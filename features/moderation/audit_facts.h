// Checks the audit chains. Entries are numbered from 1 without holes, each has the hash of its own text and
// names the hash before it, the head names the last one, lists contain each entry once and nothing else, and
// no id occurs twice. Each act and look of staff in a thread (ACT# and LOOK# rows) has its entry, and each
// entry its row.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "fanout/verify/facts.h"

namespace parley::features::facts {

std::unique_ptr<fanout::Facts> MakeAuditFacts();

// The position of an incremental walk along one chain.
struct AuditWalk {
  uint64_t entries = 0;
  std::string hash;  // the last entry's; empty at the start
};
// Checks the next entries of a tenant's chain, at most `limit`. Returns true and resets `walk` at the end.
bool WalkAudit(const storage::Reader& reader, const protocol::TenantId& tenant, size_t limit, AuditWalk* walk,
               const std::function<void(const std::string&)>& differs);

}  // namespace parley::features::facts
