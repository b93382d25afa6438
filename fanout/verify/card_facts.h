// What must hold of a thread's cards: versions without holes, messages and head that agree with them, one
// open reschedule, effects that somebody waits for. Knows the states that end a card from a list of its own.
#pragma once

#include <functional>
#include <string>

#include "fanout/verify/thread_facts.h"

namespace parley::fanout {

void CheckCards(const ThreadFacts& facts, const std::function<void(const std::string&)>& differs);

// When the first of the thread's open cards lapses, told by the cards; empty: never.
std::string FirstDue(const ThreadFacts& facts);

}  // namespace parley::fanout
