// Checks that users who are brought into a thread are known, if the tenant requires a record of every user.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "threads/engine/transaction.h"

namespace parley::threads {

// A user, and the field of the request that names them.
using NamedUser = std::pair<std::string, UserId>;

// NOT_FOUND with each user who is unknown to the tenant. The caller counts as known.
protocol::Status RequireKnown(Transaction& tx, const Caller& caller, const std::vector<NamedUser>& users);

}  // namespace parley::threads
