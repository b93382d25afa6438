// The command card.create, which opens an action card in a project.
#pragma once

#include "protocol/ops/cards.h"
#include "threads/cards/card_files.h"
#include "threads/cards/load_card.h"

namespace parley::threads {

struct CreateCard {
  using Op = protocol::CardCreate;
  struct Loaded {
    Standing standing;
    std::optional<IdempotencyRow> earlier;
    std::optional<CardRow> shared;  // for a repeat: the card that it opened, in its present state
    CardPorts ports = 0;
    // The open card, if a booking has only one of the kind at a time.
    std::optional<CardWithMessage> superseded;
    std::optional<CardWithMessage> target;  // for a card that is an intent on another card
    std::vector<CardWithMessage> lapsed;
    bool outbox_full = false;
    bool reply_to_exists = true;
    protocol::Status paid = protocol::Ok();
    std::vector<NamedFile> files;
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

}  // namespace parley::threads
