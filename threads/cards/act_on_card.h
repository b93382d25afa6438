// card.act: a party moves a card by an intent.
#pragma once

#include "protocol/ops/cards.h"
#include "threads/cards/load_card.h"

namespace parley::threads {

struct ActOnCard {
  using Op = protocol::CardAct;
  using Loaded = CardLoaded;
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

// The checks of card.act after the card was found; the step to take, or why not.
struct ActRequest {
  std::string intent;
  std::optional<int64_t> version;  // none: any version
  std::optional<protocol::Json> data;
  std::optional<std::string> reason;
};

Result<CardStep> JudgeAct(const Standing& standing, const Caller& caller, const CardWithMessage& card,
                          const ActRequest& request, protocol::Time now);

}  // namespace parley::threads
