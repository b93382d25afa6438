// What is on record in a tenant's audit of requests that administer it: by whom, and by which call. Recorded
// in the same decision as what they change; a request that is refused, or repeated, leaves nothing.
//
// Thread contract: ActOf on the I/O thread's loop; Recorded on the writer's thread.
#pragma once

#include <string>
#include <utility>

#include "accounts/audit/audit_chain.h"
#include "gateway/http/route.h"

namespace parley::gateway {

// With who asked and nothing else: a user by their id and role, a back end as "service", the operator as
// "operator".
accounts::AuditAct ActOf(const Call& call, std::string action);

// `decide` with the act on record, for a decision of the item writer that ends with its commit.
template <class Decide>
auto Recorded(accounts::AuditAct act, Decide decide) {
  return [act = std::move(act),
          decide = std::move(decide)](accounts::RecordTransaction& tx) -> decltype(decide(tx)) {
    PARLEY_CHECK_OK(RecordAct(tx, act));
    return decide(tx);
  };
}

}  // namespace parley::gateway
