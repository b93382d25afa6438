// Switches that a tenant throws in an emergency: messaging off, or read-only, everywhere or in a city, and
// new conversations for verified people only. Values, any thread.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "protocol/schema.h"

namespace parley::accounts {

struct CitySwitches {
  protocol::Omit<bool> disabled;
  protocol::Omit<bool> read_only;
  static constexpr void Fields(auto& field) {
    using T = CitySwitches;
    field("disabled", &T::disabled, "no messaging in threads of this city; false by default");
    field("readOnly", &T::read_only, "nothing is written there; false by default");
  }
};

struct SwitchSettings {
  protocol::Omit<bool> disabled;
  protocol::Omit<bool> read_only;
  protocol::Omit<bool> require_idv;
  protocol::Omit<protocol::Dictionary<CitySwitches>> cities;
  static constexpr void Fields(auto& field) {
    using T = SwitchSettings;
    field("disabled", &T::disabled, "no messaging: nothing is written or read; false by default");
    field("readOnly", &T::read_only, "nothing is written; false by default");
    field("requireIdv", &T::require_idv,
          "users start conversations only if their token says idVerified; false by default");
    field("cities", &T::cities, "the same by the city of a thread, as its field says it");
  }
};

// What of it holds in a city, or in threads without one.
enum class Switched : uint8_t { kOpen, kReadOnly, kDisabled };
inline Switched SwitchedIn(const SwitchSettings& settings, const std::optional<std::string>& city) {
  const auto of = [](const auto& one) {
    if (one.disabled.value.value_or(false)) return Switched::kDisabled;
    return one.read_only.value.value_or(false) ? Switched::kReadOnly : Switched::kOpen;
  };
  Switched out = of(settings);
  if (!city || !settings.cities.value) return out;
  for (const auto& [name, switches] : settings.cities.value->members) {
    if (name == *city) out = std::max(out, of(switches));
  }
  return out;
}

inline bool IsOffInACity(const SwitchSettings& settings) {
  if (!settings.cities.value) return false;
  const auto& cities = settings.cities.value->members;
  return std::any_of(cities.begin(), cities.end(),
                     [](const auto& city) { return city.second.disabled.value.value_or(false); });
}

}  // namespace parley::accounts
