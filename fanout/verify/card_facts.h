// What must hold of a thread's cards: versions without holes, messages and head that agree with them, one
// open reschedule, and effects that something waits for. Has its own list of final states.
#pragma once

#include <functional>
#include <string>

#include "fanout/verify/thread_facts.h"

namespace parley::fanout {

void CheckCards(const ThreadFacts& facts, const std::function<void(const std::string&)>& differs);

// When the first of the thread's open cards lapses, according to the cards; empty: never.
std::string FirstDue(const ThreadFacts& facts);

}  // namespace parley::fanout
