// Clears away what deleted users leave (accounts/permissions/departure.h), step by step, so that others'
// writes come in between. What fails is left where it is, void as it is, until the next start.
//
// Thread contract: the lane's loop.
#pragma once

#include "protocol/base/ids.h"

namespace parley::gateway {

class Lane;

void ClearDeparted(Lane& lane, const protocol::TenantId& tenant, const protocol::UserId& user);
// Of all those of whom an earlier run left something.
void ClearAllDeparted(Lane& lane);

}  // namespace parley::gateway
