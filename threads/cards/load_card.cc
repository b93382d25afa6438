#include "threads/cards/load_card.h"

#include "threads/cards/outbox.h"

namespace parley::threads {

Result<std::optional<CardWithMessage>> ReadCard(const RowReader& rows, const ThreadId& thread,
                                                const MessageId& message) {
  PARLEY_TRY(card, rows.Card(thread, message));
  if (!card) return std::optional<CardWithMessage>();
  PARLEY_TRY(shown, rows.Message(thread, message));
  if (!shown) return Error(ErrorCode::kInternal, "stored data cannot be read");
  return std::optional(CardWithMessage{std::move(*card), std::move(*shown)});
}

Result<std::vector<CardWithMessage>> ReadLapsed(const RowReader& rows, const ThreadRow& head,
                                                protocol::Time now) {
  std::vector<CardWithMessage> out;
  for (const OpenCard& one : OpenCardsOf(head)) {
    if (!IsDue(one, now)) continue;
    PARLEY_TRY(card, ReadCard(rows, head.item.thread_id, one.message_id));
    if (!card) return Error(ErrorCode::kInternal, "stored data cannot be read");
    out.push_back(std::move(*card));
  }
  return out;
}

Result<CardLoaded> LoadCard(Transaction& tx, const Caller& caller, const ThreadId& thread,
                            const MessageId& message, const ClientId& client) {
  PARLEY_TRY(standing, tx.StandingOf(caller, thread));
  CardLoaded loaded;
  loaded.standing = std::move(standing);
  loaded.ports = tx.policy(caller.tenant).card_ports;
  const RowReader rows = tx.Rows(caller.tenant);
  PARLEY_TRY(earlier, FindEarlier(tx, thread, caller, client));
  loaded.earlier = std::move(earlier);
  if (loaded.earlier) {
    PARLEY_TRY(answered, rows.Card(thread, message));
    loaded.answered = std::move(answered);
    return loaded;
  }
  PARLEY_TRY(card, ReadCard(rows, thread, message));
  if (card && MaySee(caller, card->card.hidden.only_for)) loaded.card = std::move(card);
  PARLEY_TRY(lapsed, ReadLapsed(rows, loaded.standing.head, tx.moment().now));
  loaded.lapsed = std::move(lapsed);
  return loaded;
}

}  // namespace parley::threads
