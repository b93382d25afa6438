// Serves other features and the router: examines the texts of a request by the tenant's text policy, judges
// texts that belong to no thread, and records a rejected first message, whose thread does not begin and so
// cannot hold the record.
//
// Thread contract: the host's thread, on which `then` is called, too; Examine and HasTextPolicy on any.
#pragma once

#include <functional>
#include <optional>

#include "features/host/host.h"
#include "threads/judge/judge.h"
#include "threads/run/run_judged.h"

namespace parley::features {

// Whether the caller's texts are judged at all.
bool HasTextPolicy(const Host& host, const threads::Caller& caller);
// Searches the texts before they reach their executor, because a long one takes as long as hundreds of
// commands. Returns nullptr if nothing is judged.
threads::ExaminedPtr ExamineTexts(const Host& host, const threads::Caller& caller, threads::Texts texts);

// A write with texts. `job`: without `decide` and `done`.
struct JudgedWrite {
  threads::Job job;
  threads::Caller caller;
  threads::ExaminedPtr examined;  // nullptr: its texts are not judged
  threads::DecideJudged decide;
};
// Submits the write, and answers with the policy's rejection if there is one. Its strikes are committed
// either way.
void SubmitJudged(Host& host, JudgedWrite write, std::function<void(threads::Answer)> done);

// Writes the act into the audit, opens the case if the text led to a stop, and counts the author's strikes;
// then calls `then`, even if that failed: the text is rejected either way.
void KeepRefusedStart(Host& host, const threads::Caller& caller, threads::Judged judged,
                      std::function<void()> then);

// Judges a display name, or a question that a user asks strangers. Calls `then` with the reason of a
// rejection once that is recorded, or with nullopt.
void JudgeOutsideThreads(Host& host, const threads::Caller& caller, threads::Texts texts,
                         std::function<void(std::optional<protocol::Error>)> then);

}  // namespace parley::features
