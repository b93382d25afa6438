// The steps that a case takes in its thread, and the access that it grants to staff. features/moderation runs
// these commands; no op does.
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
  kRevoke,    // ends the access that the case granted
  kHold,      // locks the thread until the case is decided
  kRelease,   // the case is decided: opens the thread again if this case held it
  kOpenCard,  // opens the SAFETY card of a stop by the text policy, if its author is a member
  kEndStop,   // ends the author's stop here, and resolves the case's card
};

struct CaseStepWish {
  CaseStep step = CaseStep::kFlag;
  std::string case_id;
  int64_t number = 0;  // the step's number within the case
  ThreadId thread_id;  // zeros: kEndStop of a stop for texts that would have started a thread
  std::optional<MessageId> message_id = {};
  std::optional<UserId> by = {};
  std::string by_role = {};
  std::string reason = {};
  std::optional<UserId> about = {};  // for kOpenCard and kEndStop: the stopped author
  bool illegal = false;              // for kRedact: the files are condemned
};

// The key of a row EVT#hold/{caseId}, which exists while the thread is locked until the case is decided.
storage::SortKey HoldKey(const std::string& case_id);
// The cases that hold the thread locked.
Result<std::vector<std::string>> HoldsOf(const RowReader& rows, const ThreadId& thread);

// Takes the step once: a row EVT#{caseId}/{number} is written with it, so a repeat after a crash, or by a
// second staff member, changes nothing. Nor does a step on a missing thread or message.
Result<Decision> TakeCaseStep(Transaction& tx, const TenantId& tenant, const CaseStepWish& wish);

// Lets the staff member look into the thread for two hours, unless the access is revoked before. The answer
// is empty. FORBIDDEN if too many staff members have access.
inline constexpr int64_t kCaseAccessMs = 2 * 3600 * 1000;
Result<Decision> LetIn(Transaction& tx, const TenantId& tenant, const ThreadId& thread, const UserId& user,
                       const std::string& case_id, bool escalated);

}  // namespace parley::threads
