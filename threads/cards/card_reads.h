// card.list, and the open cards of a thread: those that wait for somebody, in order of creation. How many
// there are is in the thread's head (model/open_cards.h), changed in the same atomic write as the cards; what
// they are is read here. For the panel's actions tab and the inbox.
#pragma once

#include <vector>

#include "protocol/ops/cards.h"
#include "threads/model/read_context.h"

namespace parley::threads {

ReadAnswer ListCards(const ReadContext& context, const protocol::CardList::Args& args);

// The open ones that the caller may see, newest first, each with what the caller may do; as many as
// `page_bytes` hold as JSON. `standing` is of the same snapshot.
Result<protocol::EncodedListOf<protocol::Card>> ListOpenCards(const ReadContext& context, Standing standing,
                                                              size_t page_bytes);

// As of `now`: a card whose time is over is not among them, even before it is written down as EXPIRED; and
// those that the viewer may not see are not. At most kMaxOpenCards. `head` and `rows` must be of one
// snapshot.
Result<std::vector<protocol::Card>> ReadOpenCards(const RowReader& rows, const Caller& viewer,
                                                  const ThreadRow& head, protocol::Time now);

}  // namespace parley::threads
