// What the commands on cards read.
#pragma once

#include "threads/cards/change_card.h"
#include "threads/engine/stage.h"

namespace parley::threads {

// `lapsed` are the thread's cards whose time is over but that are not yet written as EXPIRED: that happens
// first, in the same decision, so that rules across cards see only cards that are really open.
struct CardLoaded {
  Standing standing;
  std::optional<IdempotencyRow> earlier;
  CardPorts ports = 0;
  std::optional<CardWithMessage> card;
  std::vector<CardWithMessage> lapsed;
  bool outbox_full = false;
};

// What card.act and card.resolve read.
Result<CardLoaded> LoadCard(Stage& stage, const Caller& caller, const ThreadId& thread,
                            const MessageId& message, const ClientId& client);

// Card and message, which always exist together.
Result<std::optional<CardWithMessage>> ReadCard(const RowReader& rows, const ThreadId& thread,
                                                const MessageId& message);

// The thread's open cards whose time is over.
Result<std::vector<CardWithMessage>> ReadLapsed(const RowReader& rows, const ThreadRow& head,
                                                protocol::Time now);

}  // namespace parley::threads
