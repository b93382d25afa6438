#include "features/requests/feature.h"

#include "features/requests/operations.h"

namespace parley::features {

const Feature& RequestFeature() {
  static const Feature feature{
      .name = "requests", .operations = RequestOperations(), .followups = RequestFollowups()};
  return feature;
}

}  // namespace parley::features
