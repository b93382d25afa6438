// Serves other features: opens a case about an author whose texts led to a stop by the text policy, at most
// one per author and thread. Each opens a SAFETY card in its thread. Deciding the case ends the card and the
// stop. And tells which cases are open about a message.
//
// Thread contract: records.h; DualOf on any thread; the questions about messages on an executor's thread.
#pragma once

#include <optional>
#include <string>

#include "features/host/host.h"
#include "features/moderation/cases.h"
#include "threads/engine/transaction.h"

namespace parley::features {

// The severities that need the decision of two people of the tenant.
DualSeverities DualOf(const Host& host, const protocol::TenantId& tenant);

struct PolicyStop {
  std::string act;  // its auditId: identifies the case, so that a repeat opens no second one
  std::optional<protocol::ThreadId> thread_id = {};  // none: in threads that the author tried to start
  protocol::UserId user;
  std::string rules;  // names of the pattern sets
};
// Adds the case to the decision, which commits; adds nothing if it was opened before, or if one of the same
// author and thread is open.
protocol::Status OpenPolicyCase(accounts::RecordTransaction& tx, const PolicyStop& stop,
                                const DualSeverities& dual);

// FORBIDDEN, with the caseId, while a case about the message is open that two have to decide.
protocol::Status RequireNoCaseOfTwo(threads::Transaction& tx, const Host& host, const threads::Caller& caller,
                                    const protocol::ThreadId& thread, const protocol::MessageId& message);
// Whether a case about the message or its thread is open, so that its evidence must stay.
protocol::Result<bool> HasOpenCase(threads::Transaction& tx, const Host& host,
                                   const protocol::TenantId& tenant, const protocol::ThreadId& thread,
                                   const protocol::MessageId& message);

}  // namespace parley::features
