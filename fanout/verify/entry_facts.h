// What an inbox entry must show, field by field, worked out from a thread's rows.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fanout/verify/thread_facts.h"
#include "protocol/base/time.h"

namespace parley::fanout {

// Fields by name, those of lastMessage as "lastMessage.preview"; values written so that two kinds never look
// alike.
using EntryFields = std::map<std::string, std::string>;

EntryFields FieldsOf(const protocol::Value& entry);

// `member` is one of the thread's, `stored` the fields of the entry as it was found: one that an older
// release wrote says less, and of a mute that was over by `now` what it was then.
EntryFields ExpectedEntry(const ThreadFacts& facts, const RawItem& member, const EntryFields& stored,
                          protocol::Time now);

// Of the cards that the head lists as open, those that the member may see.
std::vector<std::string> OpenCardTypes(const RawItem& head, const RawItem& member);

// Put away until the next message; out of sight until its time or the next message.
bool ArchivedNow(const RawItem& head, const RawItem& member);
bool SnoozedNow(const RawItem& head, const RawItem& member);

}  // namespace parley::fanout
