// Converts threads' rows to items of the messaging view (storage/declarations/messaging.json). Leaves out
// missing values, except those that programs expect as null. Pure functions of rows as their reader is shown
// them.
#pragma once

#include "fanout/keys.h"
#include "storage/items/attribute.h"
#include "threads/model/rows.h"

namespace parley::fanout {

// A thread that is bound to an LBG and to a leg shows the LBG's key, and the leg's if it was found by the
// leg.
storage::Item ThreadItem(const protocol::Thread& thread);
// `place`: the thread's place in the participant's inbox.
storage::Item ParticipantItem(const ThreadId& thread, const threads::ParticipantRow& row,
                              protocol::Time place, protocol::Time now);
storage::Item MessageItem(const protocol::Message& message);
storage::Item CardItem(const ThreadId& thread, const protocol::Card& card);
storage::Item TabItem(const ThreadId& thread, const protocol::Tab& tab);

// The keys alone.
storage::Item KeyItem(const ThreadId& thread, std::string_view sort);

}  // namespace parley::fanout
