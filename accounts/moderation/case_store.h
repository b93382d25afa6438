// How cases are found and put, for the slice itself.
//
// Thread contract: records.h.
#pragma once

#include <optional>
#include <string>

#include "accounts/moderation/case_item.h"

namespace parley::accounts {

struct StoredCase {
  CaseRecord record;
  Item item;  // as it lies in the table
};
protocol::Result<std::optional<StoredCase>> FindCase(const RecordReads& reads, const protocol::CaseId& id);
// The one that is open about this.
protocol::Result<std::optional<StoredCase>> FindOpenCase(const RecordReads& reads,
                                                         const std::string& subject);
// "message/thrd_…/msg_…", "thread/thrd_…", "user/usr_…"; of a card "card/thrd_…/msg_…", of the text policy
// "policy/thrd_…/usr_…".
std::string SubjectText(const protocol::Case& one);

// Stages the case as it is to be, and the counts with it. `before`: as it was, if it was.
protocol::Status PutCase(RecordStage& stage, const std::optional<StoredCase>& before, CaseRecord after);
// `decider`: none where a report asks for it.
void AddEffect(CaseEffectKind kind, const std::optional<protocol::MessageId>& message, const Decider* decider,
               const std::string& reason, CaseRecord* record);
// Whoever was let into the thread by the case is out, once its status is another than it was.
void EndAccess(protocol::CaseStatus before, const Decider* decider, CaseRecord* record);
// Mutes the user until the case is decided (conduct.h). Returns what held before; nullopt: as much holds
// already.
struct ConductChange;
protocol::Result<std::optional<HeldConduct>> HoldIn(RecordStage& stage, const protocol::UserId& user,
                                                    const ConductChange& mute, CaseRecord* record);
// The case has ended: what one person decided in the meantime ends, but for users in `decided`, whom the
// decision itself is about. `decider`: none where its card ended it.
protocol::Status EndHolds(RecordStage& stage, const std::vector<protocol::UserId>& decided,
                          const Decider* decider, CaseRecord* record);
// `about`: of the cases about one user; none: of all.
protocol::Result<protocol::CaseStats> ReadCaseStats(const RecordReads& reads,
                                                    const std::optional<protocol::UserId>& about);

}  // namespace parley::accounts
