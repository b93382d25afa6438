// card.list, and the open cards of a thread, which are those that wait for somebody, in order of creation.
// The thread's head holds their number (model/open_cards.h), changed in the same atomic write as the cards;
// their content is read here. For the panel's actions tab and the inbox.
#pragma once

#include <vector>

#include "protocol/ops/cards.h"
#include "threads/model/read_context.h"

namespace parley::threads {

ReadAnswer ListCards(const ReadContext& context, const protocol::CardList::Args& args);

// As of `now`: leaves out cards whose time is over, even if they have not been written as EXPIRED yet, and
// cards that the viewer may not see. At most kMaxOpenCards. `head` and `rows` must be of one snapshot.
Result<std::vector<protocol::Card>> ReadOpenCards(const RowReader& rows, const Caller& viewer,
                                                  const ThreadRow& head, protocol::Time now);

}  // namespace parley::threads
