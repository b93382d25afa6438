// What a tenant sets of its text policy: `safety.textPolicy` in its settings, which is "default", "off", or a
// map of what follows. Kept as JSON beside the other settings, and read when a policy is made of it, as its
// sets may be large.
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
  bool off = false;
  protocol::Omit<bool> defaults;
  protocol::Omit<protocol::List<protocol::PatternSet, kSetsMax>> sets;
  static constexpr void Fields(auto& field) {
    using T = PolicySettings;
    field("defaults", &T::defaults, "whether the server's own sets count; true by default");
    field("sets", &T::sets, "the tenant's own sets; one of the same name takes the place of the server's");
  }
};

// Takes `safety.textPolicy` out of settings in JSON; nullopt: there is none. BAD_REQUEST with `fields`, named
// from `settings` on.
protocol::Result<std::optional<PolicySettings>> TakePolicySettings(std::string* json);

}  // namespace parley::accounts
