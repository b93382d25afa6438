#include "features/all.h"

#include "features/broadcast/feature.h"
#include "features/events/feature.h"
#include "features/invites/feature.h"
#include "features/moderation/feature.h"
#include "features/people/feature.h"
#include "features/requests/feature.h"

namespace parley::features {

std::span<const Feature* const> AllFeatures() {
  static const Feature* const features[] = {
      &InviteFeature(), &EventFeature(),   &ModerationFeature(),
      &PeopleFeature(), &RequestFeature(), &BroadcastFeature(),
  };
  return features;
}

}  // namespace parley::features
