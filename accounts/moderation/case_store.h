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
protocol::Result<protocol::CaseStats> ReadCaseStats(const RecordReads& reads);

}  // namespace parley::accounts
