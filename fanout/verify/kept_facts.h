// What must hold of the rows beside a thread's items: the answers to repeats (IDEM#) and earlier bodies
// (HIST#).
#pragma once

#include <functional>
#include <string>

#include "fanout/verify/thread_facts.h"

namespace parley::fanout {

void CheckKept(const ThreadFacts& facts, const std::function<void(const std::string&)>& differs);

}  // namespace parley::fanout
