// message.delete: of a message that people wrote, and by staff of one that belongs to a card, which loses its
// content with it.
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
