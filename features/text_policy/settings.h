// A tenant's settings of its text policy: `safety.textPolicy`, which is "default", "off", or a map with the
// members below. Stored as JSON beside the other settings, and parsed when a policy is made of it, because
// its sets may be large.
//
// Values, any thread.
#pragma once

#include <optional>
#include <string>

#include "protocol/base/result.h"
#include "protocol/pattern_set.h"

namespace parley::features {

struct PolicySettings {
  static constexpr size_t kSetsMax = 32;
  bool off = false;
  protocol::Omit<bool> defaults;
  protocol::Omit<protocol::List<protocol::PatternSet, kSetsMax>> sets;
  static constexpr void Fields(auto& field) {
    using T = PolicySettings;
    field("defaults", &T::defaults, "true: the server's own sets apply, too; true by default");
    field("sets", &T::sets, "the tenant's own sets; one of the same name takes the place of the server's");
  }
};

// Its part of the member `safety` of the tenant's settings.
struct PolicyMember {
  protocol::Omit<protocol::Json> text_policy;
  static constexpr void Fields(auto& field) {
    field("textPolicy", &PolicyMember::text_policy,
          "the checks of texts: \"default\", \"off\", or sets of rules; by default \"default\", for the demo "
          "tenant \"off\"");
  }
};

// Returns nullopt if these settings, as JSON, have no text policy. BAD_REQUEST with `fields`, named from
// `settings` on.
protocol::Result<std::optional<PolicySettings>> FindPolicySettings(const std::string& json);

}  // namespace parley::features
