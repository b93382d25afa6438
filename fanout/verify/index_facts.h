// Checks that the project index and the effect feed contain the rows that a thread needs.
#pragma once

#include <functional>
#include <string>

#include "fanout/verify/thread_facts.h"

namespace parley::fanout {

void CheckProjectRowsOf(const storage::Reader& reader, const ThreadFacts& facts,
                        const std::function<void(const std::string&)>& differs);
// The effect feed, which the tenant's back end reads, contains the thread's effects.
void CheckEffectRows(const storage::Reader& reader, const ThreadFacts& facts,
                     const std::function<void(const std::string&)>& differs);

}  // namespace parley::fanout
