// The command message.delete. Members and staff delete messages with an author; staff also delete a card's
// message, which empties the card.
#pragma once

#include <optional>

#include "threads/cards/load_card.h"
#include "threads/messages/change_message.h"

namespace parley::threads {

struct DeleteMessage {
  using Op = protocol::MessageDelete;
  struct Loaded {
    MessageLoaded of;
    std::optional<CardRow> card;
    CardPorts ports = 0;
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

}  // namespace parley::threads
