// What a tenant sets of its text policy: `textPolicy` in its settings. Kept as JSON beside the other
// settings, and read when a policy is made of it, as its sets may be large.
//
// Values, any thread.
#pragma once

#include <optional>
#include <string>

#include "protocol/base/result.h"
#include "protocol/pattern_set.h"

namespace parley::accounts {

struct PolicySettings {
  static constexpr size_t kSetsMax = 32;
  protocol::Omit<bool> enabled;
  protocol::Omit<bool> defaults;
  protocol::Omit<protocol::List<protocol::PatternSet, kSetsMax>> sets;
  static constexpr void Fields(auto& field) {
    using T = PolicySettings;
    field("enabled", &T::enabled, "whether texts are judged; true by default, false of the demo tenant");
    field("defaults", &T::defaults, "whether the server's own sets count; true by default");
    field("sets", &T::sets, "the tenant's own sets; one of the same name takes the place of the server's");
  }
};

// Takes `textPolicy` out of settings in JSON. BAD_REQUEST with `fields`, named from `settings` on.
protocol::Result<std::optional<PolicySettings>> TakePolicySettings(std::string* json);

}  // namespace parley::accounts
