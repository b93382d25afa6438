// Records changes that staff make in threads without being members, whichever op they use. Commands
// with more detail record it themselves (model/record_act.h); all others are recorded here, by the op's name.
#pragma once

#include <string_view>

#include "threads/engine/transaction.h"

namespace parley::threads {

// Adds the record to the decision, unless it has one already, changes nothing that members share, or was made
// by a member. REQUIRES: the caller is staff.
protocol::Status RecordStaffOp(Transaction& tx, const Caller& caller, std::string_view op,
                               std::string_view reason, Decision* decision);

}  // namespace parley::threads
