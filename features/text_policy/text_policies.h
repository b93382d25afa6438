// The tenants' text policies: each is made from the tenant's settings, kept, and made again when they change.
//
// Thread contract: any thread.
#pragma once

#include <list>
#include <map>
#include <string>

#include "accounts/tenants/tenant.h"
#include "protocol/base/mutex.h"
#include "protocol/base/result.h"
#include "threads/text/policy.h"

namespace parley::features {

// Returns nullptr if these settings have no policy; BAD_REQUEST with `fields` for pattern sets that cannot be
// used.
protocol::Result<threads::text::PolicyPtr> MakeTextPolicy(const std::string& settings_json, bool by_default);

// A cache of policies within `bytes_max`; evicts the least recently used ones. A policy in use stays alive.
class TextPolicies {
 public:
  explicit TextPolicies(size_t bytes_max) : bytes_max_(bytes_max) {}
  threads::text::PolicyPtr Of(const accounts::TenantPtr& tenant);  // nullptr: it has none
  size_t bytes() const;

 private:
  struct Entry {
    std::string name;
    accounts::TenantPtr tenant;
    threads::text::PolicyPtr policy;
    size_t bytes = 0;
  };
  using Place = std::list<Entry>::iterator;
  void Keep(const std::string& name, const accounts::TenantPtr& tenant,
            const threads::text::PolicyPtr& policy);
  void Drop(Place place) REQUIRES(mutex_);

  const size_t bytes_max_;
  mutable protocol::Mutex mutex_;
  std::list<Entry> entries_ GUARDED_BY(mutex_);  // the one used last first
  std::map<std::string, Place, std::less<>> by_tenant_ GUARDED_BY(mutex_);
  size_t bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace parley::features
