#include "threads/cards/lapse_cards.h"

#include "threads/cards/load_card.h"

namespace parley::threads {

Result<Decision> LapseCards(Transaction& tx, const TenantId& tenant, const ThreadId& thread) {
  PARLEY_TRY(head, tx.Thread(tenant, thread));
  const Moment moment = tx.moment();
  if (!head) return AnswerOnly({});
  const auto next = NextDue(*head);
  if (!next || *next > moment.now) return AnswerOnly({});
  PARLEY_TRY(due, ReadLapsed(tx.Rows(tenant), *head, moment.now));
  Draft draft(*head, moment.now);
  CardWriter(&draft, tx.policy(tenant).card_ports, moment.ids).Lapse(std::move(due));
  return draft.Finish({});
}

}  // namespace parley::threads
