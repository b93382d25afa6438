// Finds and writes cases, for this folder.
//
// Thread contract: records.h.
#pragma once

#include <optional>
#include <string>

#include "features/moderation/case_item.h"

namespace parley::features {

struct StoredCase {
  CaseRecord record;
  storage::Item item;  // the stored item
};
protocol::Result<std::optional<StoredCase>> FindCase(const accounts::RecordReads& reads,
                                                     const protocol::CaseId& id);
// Returns the open case about this subject.
protocol::Result<std::optional<StoredCase>> FindOpenCase(const accounts::RecordReads& reads,
                                                         const std::string& subject);
// "message/thrd_…/msg_…", "thread/thrd_…", "user/usr_…"; for a card "card/thrd_…/msg_…", for the text policy
// "policy/thrd_…/usr_…".
std::string SubjectText(const Case& one);

// Stages the new state of the case, and the counts. `before`: the present state, if any.
protocol::Status PutCase(accounts::RecordTransaction& tx, const std::optional<StoredCase>& before,
                         CaseRecord after);
// `decider`: none if a report asks for it.
void AddEffect(CaseEffectKind kind, const std::optional<protocol::MessageId>& message, const Decider* decider,
               const std::string& reason, CaseRecord* record);
// Ends the access to the thread that the case gave, if its status has changed.
void EndAccess(CaseStatus before, const Decider* decider, CaseRecord* record);
// Mutes the user until the case is decided (conduct.h). Returns the previous sanction, or nullopt if one at
// least as strong is in force.
struct SanctionChange;
protocol::Result<std::optional<HeldSanction>> HoldIn(accounts::RecordTransaction& tx,
                                                     const protocol::UserId& user, const SanctionChange& mute,
                                                     CaseRecord* record);
// Call it when the case has ended: ends the mutes of single persons, except for users in `decided`, whom the
// decision itself is about. `decider`: none if the case's card ended it.
protocol::Status EndHolds(accounts::RecordTransaction& tx, const std::vector<protocol::UserId>& decided,
                          const Decider* decider, CaseRecord* record);
// `about`: counts the cases about one user; none: all.
protocol::Result<CaseStats> ReadCaseStats(const accounts::RecordReads& reads,
                                          const std::optional<protocol::UserId>& about);

}  // namespace parley::features
