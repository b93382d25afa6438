// Pages of a tenant's audit chain, in its order, the last entry first, by what entries are about: found in
// the rows of one facet and judged by the others, within a bounded amount of work per page.
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
  std::optional<protocol::Time> from = {};  // done then or later
  std::optional<protocol::Time> to = {};    // done before
  std::optional<AuditPlace> below = {};     // where the page before ended
};

inline constexpr size_t kAuditLookedAt = 1000;  // entries per page, shown or not

// Calls `take` with each entry and its bytes until it returns false. Where the next page begins; nullopt:
// this was the last. UNAVAILABLE or INTERNAL: the chain cannot be read.
protocol::Result<std::optional<AuditPlace>> ListAudit(
    const storage::Reader& reader, const protocol::TenantId& tenant, const AuditAsk& ask,
    const std::function<bool(const protocol::ChainEntry&, const std::string& bytes)>& take);

// How far the chain goes.
protocol::Result<AuditHead> ReadAuditHead(const storage::Reader& reader, const protocol::TenantId& tenant);

}  // namespace parley::accounts
