// What a text leaves behind by which somebody wanted to begin a thread, and which the text policy refused:
// there is no thread to keep it in.
//
// Thread contract: the lane's thread, on which `then` is called, too.
#pragma once

#include <functional>

#include "gateway/lane.h"
#include "threads/policy/judge.h"

namespace parley::gateway {

// What the audit is told, the case if it led to a stop, and the author's ladder; then calls `then`, whatever
// became of it: the text is refused.
void KeepRefusedStart(Lane& lane, const threads::Caller& caller, threads::Judged judged,
                      std::function<void()> then);

}  // namespace parley::gateway
