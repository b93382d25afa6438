#include "threads/staff/case_cards.h"

#include "protocol/writer.h"
#include "threads/cards/load_card.h"
#include "threads/cards/machine.h"
#include "threads/judge/judge_rows.h"
#include "threads/model/card_kinds.h"
#include "threads/model/open_cards.h"

namespace parley::threads {
namespace {

protocol::Json PayloadOf(const std::string& reason) {
  protocol::Writer w;
  w.BeginMap(2);
  w.Text("reason");
  w.Text(reason);
  w.Text("severity");
  w.Text("medium");
  return {w.Take()};
}

}  // namespace

protocol::Status OpenCaseCard(Transaction& tx, const TenantId& tenant, const CaseStepWish& wish,
                              Draft* draft) {
  if (!wish.about || OpenCardsOf(draft->head()).size() >= OpenCardList::kMax) return protocol::Ok();
  PARLEY_TRY(author, tx.Participant(tenant, wish.thread_id, *wish.about));
  if (!author || !author->active()) return protocol::Ok();
  protocol::Card card;
  card.type.value = kSafety;
  card.payload = PayloadOf(wish.reason);
  card.created_by = *wish.about;
  CardWriter cards(draft, tx.policy(tenant).card_ports, tx.moment().ids);
  cards.Open(std::move(card), {.of_case = wish.case_id}, {{}, "policy", {}});
  return protocol::Ok();
}

protocol::Status ResolveCaseCard(Transaction& tx, const TenantId& tenant, const CaseStepWish& wish,
                                 const CardDoer& doer, Draft* draft) {
  const std::vector<OpenCard> open = OpenCardsOf(draft->head());
  for (const OpenCard& one : open) {
    if (!one.of_case.value) continue;
    PARLEY_TRY(card, ReadCard(tx.Rows(tenant), wish.thread_id, one.message_id));
    if (!card || !card->card.hidden.of_case.value || card->card.hidden.of_case.value->value != wish.case_id)
      continue;
    CardStep step;
    step.intent = "resolve";
    auto move = FindMove(card->card.item, step.intent);
    if (!move) continue;
    step.move = std::move(*move);
    step.doer = doer;
    CardWriter(draft, tx.policy(tenant).card_ports, tx.moment().ids).Settle(&*card, step);
  }
  return protocol::Ok();
}

protocol::Status EndStop(Transaction& tx, const TenantId& tenant, const CaseStepWish& wish) {
  if (!wish.about) return protocol::Ok();
  PARLEY_TRY(row, ReadStrikes(tx.Rows(tenant), *wish.about, wish.thread_id));
  if (!row || !row->stopped_until.value) return protocol::Ok();
  row->stopped_until.value.reset();
  tx.Reserve(UserPartition(tenant, *wish.about), StrikesKey(wish.thread_id), EncodeStrikes(*row));
  return protocol::Ok();
}

}  // namespace parley::threads
