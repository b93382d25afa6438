// Takes away what a deleted user leaves, in slices, so that one with very many rows keeps nobody waiting. All
// of it has been void since they were deleted.
//
// The last owner of a resource on which others have a level stays in the list of its members, without having
// any themselves, so that it is seen whose it was; that row goes when somebody else is made an owner, or the
// last of the others leaves.
#pragma once

#include "accounts/records/records.h"
#include "protocol/base/ids.h"

namespace parley::accounts {

// A decision. True: there may be more.
protocol::Result<bool> ClearDeparted(RecordStage& stage, const protocol::UserId& user);

}  // namespace parley::accounts
