// What staff change in a thread of which they are not members goes on record, whichever op it is: commands
// that know more to say record it themselves (record_act.h), all others are recorded here, by their name.
#pragma once

#include <string_view>

#include "threads/engine/transaction.h"

namespace parley::threads {

// Adds the record to a decision that has none; nothing to one that changes nothing the members share, or that
// a member made. REQUIRES: the caller is staff.
protocol::Status RecordStaffOp(Transaction& tx, const Caller& caller, std::string_view op,
                               std::string_view reason, Decision* decision);

}  // namespace parley::threads
