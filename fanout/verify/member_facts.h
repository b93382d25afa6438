// Who is in a thread, and what its kind requires of that.
#pragma once

#include <functional>
#include <string>

#include "fanout/verify/thread_facts.h"

namespace parley::fanout {

// That the head agrees with the members, and that they are as the kind requires: two permanent ones in a
// direct thread, an owner in every group that has members, cards and tabs in projects only.
void CheckMembers(const ThreadFacts& facts, const std::function<void(const std::string&)>& differs);

// The row by which the two of a direct thread find it. Of two threads of one pair only one has it.
void CheckDirectRow(const storage::Reader& reader, const ThreadFacts& facts,
                    const std::function<void(const std::string&)>& differs);

}  // namespace parley::fanout
