// The feature "invites": invitations to a tenant's resources by email address.
#pragma once

#include <vector>

#include "features/host/feature.h"
#include "features/host/route.h"

namespace parley::features {

const Feature& InviteFeature();
std::vector<HttpRoute> InviteRoutes();

}  // namespace parley::features
