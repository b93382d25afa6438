// Checks the rows kept beside a thread's items: answers for repeated requests (IDEM#), earlier bodies (HIST#)
// and sealed originals (ORIG#).
#pragma once

#include <functional>
#include <string>

#include "fanout/verify/thread_facts.h"

namespace parley::fanout {

void CheckKept(const ThreadFacts& facts, const std::function<void(const std::string&)>& differs);

}  // namespace parley::fanout
