// The commands thread.update and thread.promote.
#pragma once

#include "protocol/ops/lifecycle.h"
#include "threads/engine/transaction.h"

namespace parley::threads {

struct UpdateThread {
  using Op = protocol::ThreadUpdate;
  using Loaded = Standing;
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

struct PromoteThread {
  using Op = protocol::ThreadPromote;
  struct Loaded {
    Standing standing;
    bool seen = false;  // this eventId was applied before
    CardPorts ports = 0;
    std::vector<ParticipantRow> marks;   // rows whose mark of a block changes in a project
    std::optional<RequestRow> accepted;  // the request that kept one of the two out
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

}  // namespace parley::threads
