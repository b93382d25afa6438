// What a case is to decide is not done past it: neither by one of the two who have to agree on it, nor by
// whoever it is about. It is asked for each op by which staff do directly what a case can decide: redact a
// message, or change it so that it reads otherwise, and close a thread.
//
// Thread contract: any thread, from one reader.
#pragma once

#include "accounts/moderation/cases.h"
#include "protocol/ops/messages.h"
#include "protocol/ops/moderation.h"
#include "protocol/ops/staff.h"
#include "threads/model/caller.h"

namespace parley::gateway {

// FORBIDDEN, with the case. REQUIRES (all): the caller is staff, acts as such, and may know of the thread.
protocol::Status RequireNoCase(const accounts::RecordReads& records, const threads::Caller& caller,
                               const protocol::ModerationMessage::Args& args,
                               const accounts::DualSeverities& dual);
protocol::Status RequireNoCase(const accounts::RecordReads& records, const threads::Caller& caller,
                               const protocol::MessageEdit::Args& args, const accounts::DualSeverities& dual);
protocol::Status RequireNoCase(const accounts::RecordReads& records, const threads::Caller& caller,
                               const protocol::MessageDelete::Args& args,
                               const accounts::DualSeverities& dual);
// To open a thread takes nothing away from anybody.
protocol::Status RequireNoCase(const accounts::RecordReads& records, const threads::Caller& caller,
                               const protocol::ThreadSetStatus::Args& args,
                               const accounts::DualSeverities& dual);

}  // namespace parley::gateway
