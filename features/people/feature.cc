#include "features/people/feature.h"

#include "features/people/asks.h"
#include "features/people/checks.h"
#include "features/people/operations.h"

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

}  // namespace

const Feature& PeopleFeature() {
  static constexpr Due due[] = {{&FindDeparted}};
  static const Feature feature{
      .name = "people", .operations = PeopleOperations(), .checks = &AddPeopleChecks, .due = due};
  return feature;
}

}  // namespace parley::features
