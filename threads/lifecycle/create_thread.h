// thread.create: a new thread with its first members.
#pragma once

#include <set>

#include "protocol/ops/lifecycle.h"
#include "threads/engine/first_contact.h"
#include "threads/engine/transaction.h"
#include "threads/judge/judge.h"

namespace parley::threads {

struct CreateThread {
  using Op = protocol::ThreadCreate;
  struct Loaded {
    ThreadId thread_id;                        // reserved for it
    std::optional<ThreadRow> existing;         // the thread, when the reservation had led to it already
    bool comes_back = false;                   // it is the pair's own: ComeBack (direct_thread.h)
    std::vector<ParticipantRow> participants;  // of the existing one, as far as its head lists them
    bool user_projects = true;
    Barriers own;                         // what keeps the creator from writing anywhere
    std::optional<FirstContact> contact;  // the other is a stranger
    Judged judged = {};                   // the first message, by the text policy
    std::vector<RequestRow> invited;      // of others who are
    std::set<UserId> blockers;            // the parties who block the other
    bool reserved = false;                // something waits to be committed, even if the thread exists
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

}  // namespace parley::threads
