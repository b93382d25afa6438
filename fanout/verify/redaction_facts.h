// Checks that no row that members can read contains redacted or withheld content: neither the message nor, if
// it was redacted, its earlier versions.
#pragma once

#include <functional>
#include <string>

#include "fanout/verify/thread_facts.h"

namespace parley::fanout {

void CheckRedactions(const ThreadFacts& facts, const std::function<void(const std::string&)>& differs);

}  // namespace parley::fanout
