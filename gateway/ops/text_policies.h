// The text policies of tenants, one for each tenant, made anew where its settings have changed, and what they
// find in the texts of a request before it goes to its executor: a long text takes as long as hundreds of
// commands.
//
// Thread contract: any thread.
#pragma once

#include <list>
#include <map>
#include <string>

#include "accounts/tenants/tenant.h"
#include "gateway/app/io_thread.h"
#include "protocol/base/mutex.h"
#include "protocol/base/result.h"
#include "threads/judge/judge.h"

namespace parley::gateway {

// The policy of a tenant with these settings; null: it has none. BAD_REQUEST with `fields` for sets that
// cannot be used.
protocol::Result<threads::text::PolicyPtr> MakeTextPolicy(const std::string& settings_json, bool by_default);

// What was made of tenants' settings, as many as fit in `bytes_max`: those that were used last. Whoever has
// got one keeps it while they use it.
class TextPolicies {
 public:
  explicit TextPolicies(size_t bytes_max) : bytes_max_(bytes_max) {}
  threads::text::PolicyPtr Of(const accounts::TenantPtr& tenant);  // null: it has none
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

// Null: nothing is judged.
threads::ExaminedPtr ExamineTexts(IoThread& io, const threads::Caller& caller, threads::Texts texts);
bool HasTextPolicy(IoThread& io, const threads::Caller& caller);

}  // namespace parley::gateway
