#include "features/people/feature.h"

#include "features/people/asks.h"
#include "features/people/checks.h"
#include "features/people/operations.h"
#include "features/people/settings.h"
#include "features/people/stored_people.h"

namespace parley::features {
namespace {

std::vector<DueTask> FindDeparted(const DueSearch& search) {
  std::vector<DueTask> out;
  auto departed = accounts::AllDeparted(search.reader, search.limit);
  if (!departed.ok()) return out;
  for (const accounts::Departed& who : *departed) {
    out.push_back(
        [who](Host& host, std::function<void()> done) { ClearDeparted(host, who, std::move(done)); });
  }
  return out;
}

FillRules MakeStartRules(const std::function<std::string(std::string_view)>&) {
  return [](const accounts::Tenant& tenant, threads::TenantRules* rules) {
    rules->require_idv = RequiresIdentityForStarts(SwitchesOf(tenant));
  };
}

std::unique_ptr<const threads::People> MakeStoredPeople(const CheckParts& parts) {
  return std::make_unique<StoredPeople>(parts.sealer, parts.tenants);
}

}  // namespace

const Feature& PeopleFeature() {
  static constexpr Due due[] = {{&FindDeparted}};
  static const Feature feature{.name = "people",
                               .operations = PeopleOperations(),
                               .rules = &MakeStartRules,
                               .people = &MakeStoredPeople,
                               .checks = &AddPeopleChecks,
                               .due = due};
  return feature;
}

}  // namespace parley::features
