// Defines the rows by which a feature takes part in ops: ops of its own, checks of other folders' decisions,
// and steps after an answer.
//
// Thread contract: rows are immutable. `handle` and `follow` run on the host's thread, `guard` on an
// executor's.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "features/host/host.h"

namespace parley::features {

using threads::Answer;
using Done = std::function<void(Answer)>;  // on the host's thread, now or later; exactly once

// One use of an op.
struct OpCall {
  threads::Caller caller;
  threads::ArgsPtr args;
  ReadRoad road = {};
  // The write is refused unless it repeats an earlier one: the answer in place of any change.
  std::optional<protocol::Error> refusal = {};
  threads::TracePtr trace = {};  // the request's

  template <class Op>
  const typename Op::Args& As() const {
    return threads::BoundArgs<Op>(args.get());
  }
};

using Handler = void (*)(Host& host, const OpCall& call, Done done);

// An op of a feature: read or decided as the core's ops are, or handled by the feature itself.
struct Operation {
  threads::Operation row;
  Handler handle = nullptr;
};
using Operations = std::span<const Operation>;

template <class Op>
Operation HandledOp(Handler handle, threads::Waits waits = threads::Waits::kNothing) {
  return {threads::OpRow<Op>(waits), handle};
}

// Checks a decision of the op `name` before it is committed. Returns the decision, another one, or an error
// in place of it.
struct Guard {
  std::string_view name;
  threads::Result<threads::Decision> (*check)(threads::Transaction& tx, const Host& host,
                                              const threads::Caller& caller, const void* args,
                                              threads::Decision decision);
};

// Continues after an accepted answer of the op `name`, and answers in its place.
struct Followup {
  std::string_view name;
  void (*follow)(Host& host, const OpCall& call, std::string answer, Done done);
};

}  // namespace parley::features
