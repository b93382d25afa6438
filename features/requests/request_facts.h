// Checks message requests and their costs: each request has a CONTACT# row for its pair and can be found by
// its id, and a user's ledger has the cost of the conversations that they began with strangers. Only a
// booking or an accepted request makes two users contacts: a project created by a user is not a booking, a
// booking has no open request, and a user with an accepted invitation is a member.
#pragma once

#include <memory>

#include "fanout/verify/facts.h"

namespace parley::features::facts {

std::unique_ptr<fanout::Facts> MakeRequestFacts();

}  // namespace parley::features::facts
