#include "features/requests/feature.h"

#include "features/requests/checks.h"
#include "features/requests/operations.h"
#include "features/requests/request_facts.h"

namespace parley::features {

const Feature& RequestFeature() {
  static constexpr fanout::MakeFacts proofs[] = {&facts::MakeRequestFacts};
  static const Feature feature{.name = "requests",
                               .operations = RequestOperations(),
                               .followups = RequestFollowups(),
                               .checks = &AddRequestChecks,
                               .facts = proofs};
  return feature;
}

}  // namespace parley::features
