// Checks the panel's version, the shot list's progress and the pins in a thread's head against its tabs and
// messages.
#pragma once

#include <functional>
#include <string>

#include "fanout/verify/thread_facts.h"

namespace parley::fanout {

void CheckPanel(const ThreadFacts& facts, const std::function<void(const std::string&)>& differs);

}  // namespace parley::fanout
