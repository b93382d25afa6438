// The command card.resolve, by which the back end reports the outcome of an outside effect.
#pragma once

#include "protocol/ops/cards.h"
#include "threads/cards/load_card.h"

namespace parley::threads {

struct ResolveCard {
  using Op = protocol::CardResolve;
  using Loaded = CardLoaded;
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

}  // namespace parley::threads
