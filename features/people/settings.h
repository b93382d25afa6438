// The emergency switches in a tenant's settings `safety{}`: messaging off, or read-only, everywhere or in a
// city, and new conversations for verified people only. Values, any thread.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "accounts/tenants/tenant.h"
#include "protocol/schema.h"

namespace parley::features {

struct CitySwitches {
  protocol::Omit<bool> messaging_disabled;
  protocol::Omit<bool> read_only;
  static constexpr void Fields(auto& field) {
    using T = CitySwitches;
    field("messagingDisabled", &T::messaging_disabled,
          "no messaging in threads of this city; false by default");
    field("readOnly", &T::read_only, "nothing is written there; false by default");
  }
};

struct SwitchSettings {
  protocol::Omit<bool> messaging_disabled;
  protocol::Omit<bool> read_only;
  protocol::Omit<protocol::Dictionary<CitySwitches>> cities;
  protocol::Omit<bool> require_identity_for_starts;
  static constexpr void Fields(auto& field) {
    using T = SwitchSettings;
    field("messagingDisabled", &T::messaging_disabled,
          "no messaging: nothing is written or read; false by default");
    field("readOnly", &T::read_only, "nothing is written; false by default");
    field("cities", &T::cities, "the same by the city of a thread, as its field says it");
    field("requireIdentityForStarts", &T::require_identity_for_starts,
          "users start conversations only if their token says idVerified; false by default");
  }
};
using Switches = protocol::Omit<SwitchSettings>;
// Their part of the member of the tenant's settings.
struct SwitchMember {
  Switches safety;
  static constexpr void Fields(auto& field) { field("safety", &SwitchMember::safety, ""); }
};

inline bool RequiresIdentityForStarts(const Switches& safety) {
  return safety.value && safety.value->require_identity_for_starts.value.value_or(false);
}

inline const Switches& SwitchesOf(const accounts::Tenant& tenant) {
  return tenant.settings.of_features.Of<SwitchMember>().safety;
}

// The switch for a city, or for threads without one.
enum class Switched : uint8_t { kOpen, kReadOnly, kDisabled };
inline Switched SwitchedIn(const Switches& safety, const std::optional<std::string>& city) {
  if (!safety.value) return Switched::kOpen;
  const auto of = [](const auto& one) {
    if (one.messaging_disabled.value.value_or(false)) return Switched::kDisabled;
    return one.read_only.value.value_or(false) ? Switched::kReadOnly : Switched::kOpen;
  };
  Switched out = of(*safety.value);
  if (!city || !safety.value->cities.value) return out;
  for (const auto& [name, switches] : safety.value->cities.value->members) {
    if (name == *city) out = std::max(out, of(switches));
  }
  return out;
}

inline bool IsOffInACity(const Switches& safety) {
  if (!safety.value || !safety.value->cities.value) return false;
  const auto& cities = safety.value->cities.value->members;
  return std::any_of(cities.begin(), cities.end(),
                     [](const auto& city) { return city.second.messaging_disabled.value.value_or(false); });
}

}  // namespace parley::features
