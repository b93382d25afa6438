// The command card.act, by which a party moves a card with an intent.
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

// Checks card.act after the card was found, and returns the step to take or the error.
struct ActRequest {
  std::string intent;
  std::optional<int64_t> version;  // nullopt: any version
  std::optional<protocol::Json> data;
  std::optional<std::string> reason;
};

Result<CardStep> JudgeAct(const Standing& standing, const Caller& caller, const CardWithMessage& card,
                          const ActRequest& request, protocol::Time now);

}  // namespace parley::threads
