// What a thread's rows ask for in the project index and in the effect feed.
#pragma once

#include <functional>
#include <string>

#include "fanout/verify/thread_facts.h"

namespace parley::fanout {

void CheckProjectRowsOf(const storage::Reader& reader, const ThreadFacts& facts,
                        const std::function<void(const std::string&)>& differs);
// The effects of a thread, where the tenant's back end looks for them.
void CheckEffectRows(const storage::Reader& reader, const ThreadFacts& facts,
                     const std::function<void(const std::string&)>& differs);

}  // namespace parley::fanout
