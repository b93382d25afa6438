// Cases that the text policy opens: of an author whose texts led to a stop, one for each thread while it is
// open. Each opens a SAFETY card in its thread. Deciding the case ends the card and the stop.
//
// Thread contract: records.h.
#pragma once

#include <optional>
#include <string>

#include "accounts/moderation/cases.h"

namespace parley::accounts {

struct PolicyStop {
  std::string act;  // its auditId: the case is one for good, whoever tells of it again
  std::optional<protocol::ThreadId> thread_id = {};  // none: in threads that they wanted to begin
  protocol::UserId user;
  std::string rules;  // names of the pattern sets
};
// Adds the case to the decision, which commits; nothing where it was opened before, or one of the same author
// and thread is open.
protocol::Status OpenPolicyCase(RecordStage& stage, const PolicyStop& stop, const DualSeverities& dual);

}  // namespace parley::accounts
