// Who may be brought into a thread where the tenant lets nobody in of whom there is no record.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "threads/engine/transaction.h"

namespace parley::threads {

// A user, and the field of the request that names them.
using NamedUser = std::pair<std::string, UserId>;

// NOT_FOUND with each of them whom the tenant does not know. The caller themselves is nobody's to doubt.
protocol::Status RequireKnown(Transaction& tx, const Caller& caller, const std::vector<NamedUser>& users);

}  // namespace parley::threads
