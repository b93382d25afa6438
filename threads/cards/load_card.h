// Reads the rows that the commands on cards need.
#pragma once

#include "threads/cards/change_card.h"
#include "threads/engine/idempotency.h"
#include "threads/engine/transaction.h"

namespace parley::threads {

// `lapsed` has the thread's lapsed cards that are not yet written as EXPIRED. The same decision expires them
// first, so that rules across cards see only cards that are really open.
struct CardLoaded {
  Standing standing;
  std::optional<IdempotencyRow> earlier;
  CardPorts ports = 0;
  std::optional<CardWithMessage> card;
  std::optional<CardRow> answered;  // for a repeat: the card in its present state
  std::vector<CardWithMessage> lapsed;
  bool outbox_full = false;
};

// Reads the input of card.act and card.resolve.
Result<CardLoaded> LoadCard(Transaction& tx, const Caller& caller, const ThreadId& thread,
                            const MessageId& message, const ClientId& client);

// Answers a repeat with the first answer, or with the present card if staff have redacted it since.
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

// Reads a card and its message, which always exist together.
Result<std::optional<CardWithMessage>> ReadCard(const RowReader& rows, const ThreadId& thread,
                                                const MessageId& message);

// The thread's open cards that have lapsed.
Result<std::vector<CardWithMessage>> ReadLapsed(const RowReader& rows, const ThreadRow& head,
                                                protocol::Time now);

}  // namespace parley::threads
