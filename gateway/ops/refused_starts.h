// Texts that belong to no thread, as the text policy judges them: those by which somebody wanted to begin
// one, and those that people read elsewhere. What a refused one leaves behind has no thread to be kept in.
//
// Thread contract: the I/O thread's thread, on which `then` is called, too.
#pragma once

#include <functional>

#include "gateway/app/io_thread.h"
#include "threads/judge/judge.h"

namespace parley::gateway {

// What the audit is told, the case if it led to a stop, and the author's strikes; then calls `then`, whatever
// became of it: the text is refused.
void KeepRefusedStart(IoThread& io, const threads::Caller& caller, threads::Judged judged,
                      std::function<void()> then);

// Judges a display name, or what a user asks strangers for. Calls `then` with why it is refused, once that is
// on record; nullopt: it is not.
void JudgeOutsideThreads(IoThread& io, const threads::Caller& caller, threads::Texts texts,
                         std::function<void(std::optional<protocol::Error>)> then);

}  // namespace parley::gateway
