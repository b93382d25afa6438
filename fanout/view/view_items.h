// Converts threads' rows to items of the messaging view (storage/declarations/messaging.json). Omits missing
// values, except those that programs expect as null. Pure functions; hidden parts must have been removed
// before.
#pragma once

#include "fanout/keys.h"
#include "storage/items/attribute.h"
#include "threads/model/rows.h"

namespace parley::fanout {

// A thread that is bound to an LBG and to a leg has the LBG's key, unless it was found by the leg.
storage::Item ThreadItem(const protocol::Thread& thread);
// `place`: the thread's place in the participant's inbox.
storage::Item ParticipantItem(const ThreadId& thread, const threads::ParticipantRow& row,
                              protocol::Time place, protocol::Time now);
storage::Item MessageItem(const protocol::Message& message);
storage::Item CardItem(const ThreadId& thread, const protocol::Card& card);
storage::Item TabItem(const ThreadId& thread, const protocol::Tab& tab);

// Only the keys.
storage::Item KeyItem(const ThreadId& thread, std::string_view sort);

}  // namespace parley::fanout
