#include "features/people/city_switches.h"

#include <algorithm>
#include <map>

#include "protocol/base/mutex.h"
#include "protocol/base/sure.h"
#include "threads/text/folded_name.h"

namespace parley::features {

using accounts::TenantPtr;
using threads::text::FoldedName;

namespace {

using Cities = std::map<std::string, Switched, std::less<>>;  // by their folded names

Cities CitiesOf(const Switches& safety) {
  Cities out;
  for (const auto& [name, switches] : protocol::Sure(protocol::Sure(safety.value).cities.value).members) {
    Switched& in_city = out[FoldedName(name)];
    in_city = std::max(in_city, SwitchedIn(safety, name));
  }
  return out;
}

// Caches each tenant's folded names as of its last use.
class FoldedCity {
 public:
  Switched In(const TenantPtr& tenant, const std::string& city) {
    const std::string folded = FoldedName(city);
    protocol::MutexLock lock(&mutex_);
    Entry& entry = tenants_[tenant->id.ToText()];
    if (entry.of != tenant) entry = {tenant, CitiesOf(SwitchesOf(*tenant))};
    const auto found = entry.cities.find(folded);
    return found == entry.cities.end() ? Switched::kOpen : found->second;
  }

 private:
  struct Entry {
    TenantPtr of;
    Cities cities;
  };
  protocol::Mutex mutex_;
  std::map<std::string, Entry, std::less<>> tenants_ GUARDED_BY(mutex_);
};

}  // namespace

Switched SwitchedIn(const TenantPtr& tenant, const std::optional<std::string>& city) {
  static FoldedCity folded;
  const Switches& safety = SwitchesOf(*tenant);
  const Switched everywhere = SwitchedIn(safety, std::nullopt);
  if (!city || !safety.value || !safety.value->cities.value) return everywhere;
  return std::max(everywhere, folded.In(tenant, *city));
}

}  // namespace parley::features
