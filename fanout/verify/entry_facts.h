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

// `member` is one of the thread's, `stored` the fields of the entry as it was found: one that an older
// release wrote says less, and of a mute that was over by `now` what it was then.
EntryFields ExpectedEntry(const ThreadFacts& facts, const RawItem& member, const EntryFields& stored,
                          protocol::Time now);

// Of the cards that the head lists as open, those that the member may see.
std::vector<std::string> OpenCardTypes(const RawItem& head, const RawItem& member);

// A field of the message request that the head holds; empty: there is none.
std::string RequestIn(const RawItem& head, std::string_view field);
// A stranger who is asked into the group, as if they had a row; nullopt: they are not asked.
std::optional<RawItem> InvitedIn(const RawItem& head, const std::string& user);
std::vector<std::string> AllInvited(const RawItem& head);
// A field of the request by which the user is asked in; empty: they are not asked.
std::string InvitationText(const RawItem& head, const std::string& user, std::string_view field);

// Whether the member was asked by it and has not accepted; and whether it has expired, so that the thread
// stands in no inbox of theirs.
bool KeptOut(const RawItem& head, const RawItem& member);
bool IsUnlisted(const RawItem& head, const RawItem& member);
// What they have not read, as they are shown it.
int64_t UnreadShown(const ThreadFacts& facts, const RawItem& member);

// Archived until the next message; snoozed until its time or the next message.
bool ArchivedNow(const RawItem& head, const RawItem& member);
bool SnoozedNow(const RawItem& head, const RawItem& member);

}  // namespace parley::fanout
