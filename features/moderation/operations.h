// The rows of moderation's ops, and its checks of other folders' decisions.
//
// Thread contract: any thread.
#pragma once

#include "features/host/operation.h"

namespace parley::features {

Operations ModerationOperations();
std::span<const Guard> ModerationGuards();

protocol::Error StaffOnly();  // the caller is not staff

// Each from the file that handles it.
Operation ReportMessageOp();
Operation ReportThreadOp();
Operation ReportUserOp();
Operation CaseOp();
Operation DecideOp();
Operation QueueOp();
Operation UserOp();
Operation ResetStrikesOp();
Operation AuditOp();

}  // namespace parley::features
