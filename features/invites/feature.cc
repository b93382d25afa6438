#include "features/invites/feature.h"

namespace parley::features {

const Feature& InviteFeature() {
  static const Feature feature{.name = "invites", .routes = &InviteRoutes};
  return feature;
}

}  // namespace parley::features
