// What was redacted or withheld is in none of the thread's rows where members could read it: not in the
// message, and of a redacted one not in what was kept of it before its edits either.
#pragma once

#include <functional>
#include <string>

#include "fanout/verify/thread_facts.h"

namespace parley::fanout {

void CheckRedactions(const ThreadFacts& facts, const std::function<void(const std::string&)>& differs);

}  // namespace parley::fanout
