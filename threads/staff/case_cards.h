// Opens the SAFETY card of a case that the text policy opened, and ends the stop that led to it. Only the
// stopped author and staff see the card. It names the author as its creator, but the audit names the policy;
// neither members nor staff move it, because it ends with its case.
//
// Thread contract: the executor's thread.
#pragma once

#include "threads/cards/change_card.h"
#include "threads/engine/transaction.h"
#include "threads/staff/case_steps.h"

namespace parley::threads {

// Opens the card, unless the author has left the thread or too many cards are open.
protocol::Status OpenCaseCard(Transaction& tx, const TenantId& tenant, const CaseStepWish& wish,
                              Draft* draft);
// Resolves the case's card, if it is open.
protocol::Status ResolveCaseCard(Transaction& tx, const TenantId& tenant, const CaseStepWish& wish,
                                 const CardDoer& doer, Draft* draft);
// Ends the author's stop in the commit of this command. Their strikes keep their points.
protocol::Status EndStop(Transaction& tx, const TenantId& tenant, const CaseStepWish& wish);

}  // namespace parley::threads
