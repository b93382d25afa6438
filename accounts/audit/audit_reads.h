// Reads pages of a tenant's audit chain, the last entry first, filtered by the subjects of entries. It reads
// the index rows of one facet and checks the others, within a bounded amount of work per page.
//
// Thread contract: any thread, from one reader.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "accounts/audit/audit_row.h"
#include "protocol/base/result.h"
#include "storage/table.h"

namespace parley::accounts {

struct AuditAsk {
  std::optional<std::string> thread_id = {}, actor = {}, user_id = {}, case_id = {};
  std::optional<protocol::Time> from = {};  // done at or after this time
  std::optional<protocol::Time> to = {};    // done before this time
  std::optional<AuditPlace> below = {};     // the end of the previous page
};

inline constexpr size_t kAuditLookedAt = 1000;  // entries per page, shown or not

// Calls `take` with each entry and its bytes until it returns false. Returns the start of the next page, or
// nullopt after the last. UNAVAILABLE or INTERNAL: the chain cannot be read.
protocol::Result<std::optional<AuditPlace>> ListAudit(
    const storage::Reader& reader, const protocol::TenantId& tenant, const AuditAsk& ask,
    const std::function<bool(const protocol::ChainEntry&, const std::string& bytes)>& take);

}  // namespace parley::accounts
