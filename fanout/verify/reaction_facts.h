// Checks the number of each reaction against the users that its message lists and the REACT# rows of the
// others.
#pragma once

#include <functional>
#include <string>

#include "fanout/verify/thread_facts.h"

namespace parley::fanout {

void CheckReactions(const ThreadFacts& facts, const std::function<void(const std::string&)>& differs);

}  // namespace parley::fanout
