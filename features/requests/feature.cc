#include "features/requests/feature.h"

#include "features/requests/checks.h"
#include "features/requests/operations.h"
#include "features/requests/request_facts.h"
#include "features/requests/settings.h"

namespace parley::features {

using threads::RetentionOf;

namespace {

FillRules MakeRequestRules(const std::function<std::string(std::string_view)>& option) {
  return [demo_asks = option("message_requests") == "true"](const accounts::Tenant& tenant,
                                                            threads::TenantRules* rules) {
    FillRequestRules(tenant, demo_asks, rules);
  };
}

}  // namespace

const Feature& RequestFeature() {
  static constexpr fanout::MakeFacts proofs[] = {&facts::MakeRequestFacts};
  static constexpr threads::Retention retention[] = {
      RetentionOf(storage::UserTag::kContact, "CONTACT#",
                  "forever; one per message request between two users", threads::kNoRemover),
      RetentionOf(storage::UserTag::kRequest, "REQUEST#",
                  "forever; one per message request, until it is made again",
                  "the command that makes it again"),
      RetentionOf(storage::UserTag::kCredits, "CREDITS", "forever; one per user who wrote to a stranger",
                  threads::kNoRemover),
  };
  static const Feature feature{.name = "requests",
                               .operations = RequestOperations(),
                               .followups = RequestFollowups(),
                               .rules = &MakeRequestRules,
                               .checks = &AddRequestChecks,
                               .retention = retention,
                               .facts = proofs};
  return feature;
}

}  // namespace parley::features
