// Checks the members of a thread against its head and against the rules of its kind.
#pragma once

#include <functional>
#include <string>

#include "fanout/verify/thread_facts.h"

namespace parley::fanout {

// The head agrees with the members, and they follow the rules of the kind: two permanent members in a direct
// thread, an owner in each group with members, cards and tabs in projects only.
void CheckMembers(const ThreadFacts& facts, const std::function<void(const std::string&)>& differs);

// The DIRECT# row of a pair leads to its direct thread, so a pair has only one.
void CheckDirectRow(const storage::Reader& reader, const ThreadFacts& facts,
                    const std::function<void(const std::string&)>& differs);

}  // namespace parley::fanout
