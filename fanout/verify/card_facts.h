// Checks a thread's cards: versions without holes, messages and head that agree with them, one open
// reschedule per booking, and a waiting card for each awaited effect. Has its own list of final states.
#pragma once

#include <functional>
#include <string>

#include "fanout/verify/thread_facts.h"

namespace parley::fanout {

void CheckCards(const ThreadFacts& facts, const std::function<void(const std::string&)>& differs);

// Returns the time at which the first of the open cards lapses, computed from the cards; "" if none does.
std::string FirstDue(const ThreadFacts& facts);

}  // namespace parley::fanout
