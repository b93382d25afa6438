// Computes the expected fields of an inbox entry from a thread's rows.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fanout/verify/thread_facts.h"
#include "protocol/base/time.h"

namespace parley::fanout {

// Values by name; those of a nested map have names such as "lastMessage.preview". Values of different types
// have different texts.
using EntryFields = std::map<std::string, std::string>;

EntryFields FieldsOf(const protocol::Value& entry);

// `stored` has the fields of the entry as found: an entry of an older release has fewer fields, and may show
// a mute as it was when the entry was written.
EntryFields ExpectedEntry(const ThreadFacts& facts, const RawItem& member, const EntryFields& stored,
                          protocol::Time now);

// The types of the cards that the head lists as open and the member may see.
std::vector<std::string> OpenCardTypes(const RawItem& head, const RawItem& member);

// Returns a field of the message request in the head, or "".
std::string RequestIn(const RawItem& head, std::string_view field);
// Returns a row as a member would have it for a user with an invitation, or nullopt.
std::optional<RawItem> InvitedIn(const RawItem& head, const std::string& user);
std::vector<std::string> AllInvited(const RawItem& head);
// Returns a field of the user's invitation, or "".
std::string InvitationText(const RawItem& head, const std::string& user, std::string_view field);

// KeptOut: the member has not accepted the request or invitation. IsUnlisted: the request has also expired,
// so the thread is not in their inbox.
bool KeptOut(const RawItem& head, const RawItem& member);
bool IsUnlisted(const RawItem& head, const RawItem& member);
// The unread number that the member is shown.
int64_t UnreadShown(const ThreadFacts& facts, const RawItem& member);

// Archived until the next message; snoozed until its time or the next message.
bool ArchivedNow(const RawItem& head, const RawItem& member);
bool SnoozedNow(const RawItem& head, const RawItem& member);

}  // namespace parley::fanout
