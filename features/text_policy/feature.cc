#include "features/text_policy/feature.h"

#include "features/text_policy/text_policies.h"

namespace parley::features {
namespace {

// Patterns are compiled here, so that a set that cannot be used is rejected before it is stored.
protocol::Status CheckPolicy(const std::string& settings) {
  const auto made = MakeTextPolicy(settings, true);
  return made.ok() ? protocol::Ok() : protocol::Status(made.error());
}

}  // namespace

const Feature& TextPolicyFeature() {
  static const Feature feature{.name = "text_policy", .check_settings = &CheckPolicy};
  return feature;
}

}  // namespace parley::features
