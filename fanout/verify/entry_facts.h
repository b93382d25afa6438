// What an inbox entry must show, field by field, computed from a thread's rows.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fanout/verify/thread_facts.h"
#include "protocol/base/time.h"

namespace parley::fanout {

// Fields by name, those of lastMessage as "lastMessage.preview"; values are written so that values of
// different kinds never look alike.
using EntryFields = std::map<std::string, std::string>;

EntryFields FieldsOf(const protocol::Value& entry);

// `member` is one of the thread's. A mute that was over by `now` may be shown or not: nothing happens when it
// ends.
EntryFields ExpectedEntry(const ThreadFacts& facts, const RawItem& member, const EntryFields& stored,
                          protocol::Time now);

// Of the cards that the head lists as open, those that the member may see.
std::vector<std::string> OpenCardTypes(const RawItem& head, const RawItem& member);

// Archived until the next message; snoozed until its time or the next message.
bool ArchivedNow(const RawItem& head, const RawItem& member);
bool SnoozedNow(const RawItem& head, const RawItem& member);

}  // namespace parley::fanout
