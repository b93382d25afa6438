// What a case does in its thread, and who is let in by it. The gateway gives these commands; nobody asks for
// them by an op.
//
// Each effect is done once: with it a row EVT#{caseId}/{number} is written, so one that is asked for again,
// after a crash or by two who carry out the same case, changes nothing.
#pragma once

#include <string>
#include <vector>

#include "threads/engine/transaction.h"

namespace parley::threads {

enum class CaseStep : uint8_t {
  kFlag,
  kUnflag,
  kRedact,
  kLock,
  kRevoke,    // ends the access that the case gave
  kHold,      // locks the thread until the case is decided
  kRelease,   // it is decided: the thread is open again, if it was held by this case
  kOpenCard,  // opens the SAFETY card of a stop by the text policy, if its author is a member
  kEndStop,   // ends the stop of the author here, and resolves the case's card
};

struct CaseStepWish {
  CaseStep step = CaseStep::kFlag;
  std::string case_id;
  int64_t number = 0;  // of the effect, among those of the case
  ThreadId thread_id;  // zeros: kEndStop of a stop that starts led to
  std::optional<MessageId> message_id = {};
  std::optional<UserId> by = {};
  std::string by_role = {};
  std::string reason = {};
  std::optional<UserId> about = {};  // of kOpenCard and kEndStop: the stopped author
};

// There is a row EVT#hold/{caseId} while the thread is locked until the case is decided.
storage::SortKey HoldKey(const std::string& case_id);
// The cases for which it is.
Result<std::vector<std::string>> HoldsOf(const RowReader& rows, const ThreadId& thread);

// Changes nothing where what it names is not there, or it was done before.
Result<Decision> TakeCaseStep(Transaction& tx, const TenantId& tenant, const CaseStepWish& wish);

// Two hours from now the staff member may look into the thread, unless it is revoked before. The answer is
// empty. FORBIDDEN: too many are let in.
inline constexpr int64_t kCaseAccessMs = 2 * 3600 * 1000;
Result<Decision> LetIn(Transaction& tx, const TenantId& tenant, const ThreadId& thread, const UserId& user,
                       const std::string& case_id, bool escalated);

}  // namespace parley::threads
