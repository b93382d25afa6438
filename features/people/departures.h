// Removes the rows of a deleted user, in slices, so that very many rows delay no other request. All of them
// have been void since the deletion.
//
// The last owner of a resource with other members stays in its list of members, without any rights, to show
// the former owner; that row is removed when another owner is named, or the last of the others leaves.
#pragma once

#include "accounts/records/records.h"
#include "protocol/base/ids.h"

namespace parley::features {

// A decision. Returns true if there may be more.
protocol::Result<bool> ClearSome(accounts::RecordTransaction& tx, const protocol::UserId& user);

}  // namespace parley::features
