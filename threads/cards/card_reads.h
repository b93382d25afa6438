// Answers card.list, and reads the open cards of a thread in order of creation, for the panel's actions tab
// and the inbox. The thread's head lists the open cards (model/open_cards.h) and changes in the same atomic
// write as they do; their content is read here.
#pragma once

#include <vector>

#include "protocol/ops/cards.h"
#include "threads/model/read_context.h"

namespace parley::threads {

ReadAnswer ListCards(const ReadContext& context, const protocol::CardList::Args& args);

// The open cards that the caller may see, newest first, each with the caller's intents; as many as
// `page_bytes` allow as JSON. `standing` is of the same snapshot.
Result<protocol::EncodedListOf<protocol::Card>> ListOpenCards(const ReadContext& context, Standing standing,
                                                              size_t page_bytes);

// The open cards as of `now`, without lapsed ones, even if these are not yet written as EXPIRED, and without
// those that the viewer may not see. At most kMaxOpenCards. `head` and `rows` must be of one snapshot.
Result<std::vector<protocol::Card>> ReadOpenCards(const RowReader& rows, const Caller& viewer,
                                                  const ThreadRow& head, protocol::Time now);

}  // namespace parley::threads
