// The command thread.create: a new thread with its first members.
#pragma once

#include <set>

#include "protocol/ops/lifecycle.h"
#include "threads/contacts/first_contact.h"
#include "threads/engine/transaction.h"
#include "threads/judge/judge.h"

namespace parley::threads {

struct CreateThread {
  using Op = protocol::ThreadCreate;
  struct Loaded {
    ThreadId thread_id;                        // reserved for the new thread
    std::optional<ThreadRow> existing;         // the thread that an earlier reservation led to
    bool comes_back = false;                   // the pair's own thread exists: ComeBack (direct_thread.h)
    std::vector<ParticipantRow> participants;  // the existing thread's members, as far as its head lists them
    bool user_projects = true;
    Barriers own;                         // barriers to the creator's writes in every thread
    std::optional<FirstContact> contact;  // set if the other party is a stranger
    Judged judged = {};                   // the text policy's verdict on the first message
    std::vector<RequestRow> invited;      // requests to strangers beyond the parties
    std::set<UserId> blockers;            // parties who block the other one
    bool reserved = false;                // there is a reservation to commit, even if the thread exists
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

}  // namespace parley::threads
