#include "threads/cards/operations.h"

#include "threads/cards/act_on_card.h"
#include "threads/cards/card_reads.h"
#include "threads/cards/create_card.h"
#include "threads/cards/delete_message.h"
#include "threads/cards/outbox.h"
#include "threads/cards/resolve_card.h"
#include "threads/run/write_op.h"

namespace parley::threads {

Operations CardOperations() {
  static const Operation rows[] = {
      ReadOp<protocol::CardList, ListCards>(),
      WriteOp<CreateCard>(),
      WriteOp<ActOnCard>(),
      WriteOp<ResolveCard>(),
      WriteOp<DeleteMessage>(),
      WriteOp<AckOutbox>(),
  };
  return rows;
}

}  // namespace parley::threads
