// Checks integration events as far as the change log reaches back: each event that a tenant subscribed to
// became a row exactly once, the row agrees with the log and is missing only if it was deleted or expired,
// and each row's id is the one that its change gives.
#pragma once

#include <memory>

#include "fanout/verify/facts.h"

namespace parley::features::facts {

std::unique_ptr<fanout::Facts> MakeEventFacts();

}  // namespace parley::features::facts
