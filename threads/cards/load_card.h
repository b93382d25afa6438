// What the commands on cards read.
#pragma once

#include "threads/cards/change_card.h"
#include "threads/engine/idempotency.h"
#include "threads/engine/transaction.h"

namespace parley::threads {

// `lapsed` are the thread's cards whose time is over but that are not yet written as EXPIRED: that happens
// first, in the same decision, so that rules across cards see only cards that are really open.
struct CardLoaded {
  Standing standing;
  std::optional<IdempotencyRow> earlier;
  CardPorts ports = 0;
  std::optional<CardWithMessage> card;
  std::optional<CardRow> answered;  // for a repeat: the card as it is now
  std::vector<CardWithMessage> lapsed;
  bool outbox_full = false;
};

// What card.act and card.resolve read.
Result<CardLoaded> LoadCard(Transaction& tx, const Caller& caller, const ThreadId& thread,
                            const MessageId& message, const ClientId& client);

// The first answer to a repeat; a card that staff have redacted since is shown as it is now.
template <class Reply, class Args>
Result<Decision> AnswerCardRepeat(const IdempotencyRow& earlier, const std::optional<CardRow>& card,
                                  const Args& args) {
  PARLEY_TRY(answer, AnswerRepeat<Reply>(earlier, args));
  if (!card || !IsRedacted(card->item)) return std::move(answer);
  Reply reply;
  if (!DecodeStored(answer.reply, &reply)) return Error(ErrorCode::kInternal, "stored data cannot be read");
  reply.card = card->item;
  reply.card.allowed.value.emplace();
  return AnswerOnly(protocol::Encode(reply));
}

// Card and message, which always exist together.
Result<std::optional<CardWithMessage>> ReadCard(const RowReader& rows, const ThreadId& thread,
                                                const MessageId& message);

// The thread's open cards whose time is over.
Result<std::vector<CardWithMessage>> ReadLapsed(const RowReader& rows, const ThreadRow& head,
                                                protocol::Time now);

}  // namespace parley::threads
