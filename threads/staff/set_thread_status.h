// The command thread.setStatus, by which staff lock, archive or reopen a thread.
#pragma once

#include "protocol/ops/staff.h"
#include "threads/engine/transaction.h"

namespace parley::threads {

struct SetThreadStatus {
  using Op = protocol::ThreadSetStatus;
  using Loaded = Standing;
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

// Locks the thread until two staff members have decided the case. Returns the command's errors.
Result<Decision> LockMeanwhile(Transaction& tx, const Caller& caller,
                               const protocol::ThreadSetStatus::Args& args, const std::string& case_id);

}  // namespace parley::threads
