// Builds the acts that a tenant's audit records about requests that administer it: the caller and the call.
// Each is recorded in the same decision as its change; a rejected or repeated request leaves no record.
//
// Thread contract: ActOf on the I/O thread's loop; Recorded on the writer's thread.
#pragma once

#include <string>
#include <utility>

#include "accounts/audit/audit_chain.h"
#include "gateway/http/route.h"

namespace parley::gateway {

// Returns an act with its actor and action only: a user by id and role, a back end as "service", the operator
// as "operator".
accounts::AuditAct ActOf(const Call& call, std::string action);

// Returns `decide` extended by recording the act first, for a decision of the item writer that ends with its
// commit.
template <class Decide>
auto Recorded(accounts::AuditAct act, Decide decide) {
  return [act = std::move(act),
          decide = std::move(decide)](accounts::RecordTransaction& tx) -> decltype(decide(tx)) {
    PARLEY_CHECK_OK(RecordAct(tx, act));
    return decide(tx);
  };
}

}  // namespace parley::gateway
