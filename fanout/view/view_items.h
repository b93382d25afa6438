// Threads' rows as items of the messaging view (storage/declarations/messaging.json): what they are called
// and written as there. A missing value is left out, except where programs expect a null. Pure
// functions of rows as their reader is shown them.
#pragma once

#include "fanout/keys.h"
#include "storage/items/attribute.h"
#include "threads/model/rows.h"

namespace parley::fanout {

// A thread that is bound to an LBG and to a leg shows the LBG's key, and the leg's where it is found by that.
storage::Item ThreadItem(const protocol::Thread& thread);
// `place`: where the thread stands in the participant's inbox.
storage::Item ParticipantItem(const ThreadId& thread, const threads::ParticipantRow& row,
                              protocol::Time place, protocol::Time now);
storage::Item MessageItem(const protocol::Message& message);
storage::Item CardItem(const ThreadId& thread, const protocol::Card& card);
storage::Item TabItem(const ThreadId& thread, const protocol::Tab& tab);

// The keys alone.
storage::Item KeyItem(const ThreadId& thread, std::string_view sort);

}  // namespace parley::fanout
