#include "features/text_policy/text_policies.h"

#include <iterator>
#include <utility>

#include "accounts/tenants/demo.h"
#include "features/text_policy/asks.h"
#include "features/text_policy/settings.h"
#include "protocol/base/log.h"

namespace parley::features {
namespace {

using threads::text::Policy;
using threads::text::PolicyPtr;

constexpr size_t kPoliciesBytesMax = size_t{64} << 20;

PolicyPtr Made(const accounts::Tenant& tenant, bool by_default) {
  auto policy = MakeTextPolicy(tenant.settings_json, by_default);
  if (policy.ok()) return *std::move(policy);
  protocol::Log(protocol::LogLevel::kWarn, "gateway", "a tenant's text policy cannot be used",
                {{"tenant", tenant.id.ToText()}});  // the settings of another version
  return threads::text::DefaultPolicy();
}

PolicyPtr PolicyOf(const Host& host, const threads::Caller& caller) {
  // Two stores in one process share it.
  static TextPolicies made(kPoliciesBytesMax);
  const accounts::TenantPtr tenant = host.FindTenant(caller.tenant);
  return tenant ? made.Of(tenant) : nullptr;
}

}  // namespace

PolicyPtr TextPolicies::Of(const accounts::TenantPtr& tenant) {
  const bool by_default = tenant->id.value.text() != accounts::kDemoTenant;
  if (tenant->settings_json.find("textPolicy") == std::string::npos)
    return by_default ? threads::text::DefaultPolicy() : nullptr;
  const std::string name = tenant->id.ToText();
  {
    protocol::MutexLock lock(&mutex_);
    if (const auto found = by_tenant_.find(name); found != by_tenant_.end()) {
      Entry& entry = *found->second;
      if (entry.tenant == tenant || entry.tenant->settings_json == tenant->settings_json) {
        entry.tenant = tenant;
        entries_.splice(entries_.begin(), entries_, found->second);
        return entry.policy;
      }
    }
  }
  PolicyPtr policy = Made(*tenant, by_default);
  Keep(name, tenant, policy);
  return policy;
}

void TextPolicies::Keep(const std::string& name, const accounts::TenantPtr& tenant, const PolicyPtr& policy) {
  protocol::MutexLock lock(&mutex_);
  if (const auto found = by_tenant_.find(name); found != by_tenant_.end()) Drop(found->second);
  const size_t bytes = tenant->settings_json.size() + (policy ? policy->bytes() : 0);
  entries_.push_front({name, tenant, policy, bytes});
  by_tenant_[name] = entries_.begin();
  bytes_ += bytes;
  while (bytes_ > bytes_max_ && entries_.size() > 1) Drop(std::prev(entries_.end()));
}

void TextPolicies::Drop(Place place) {
  bytes_ -= place->bytes;
  by_tenant_.erase(place->name);
  entries_.erase(place);
}

size_t TextPolicies::bytes() const {
  protocol::MutexLock lock(&mutex_);
  return bytes_;
}

protocol::Result<PolicyPtr> MakeTextPolicy(const std::string& settings_json, bool by_default) {
  PARLEY_TRY(own, FindPolicySettings(settings_json));
  if (!own) return by_default ? threads::text::DefaultPolicy() : nullptr;
  if (own->off) return PolicyPtr();
  Policy::Sets sets;
  if (own->sets.value) sets = std::move(own->sets.value->items);
  auto alone = Policy::Make(sets);
  if (!alone.ok()) {
    protocol::Error error = std::move(alone.error());
    for (auto& [name, what] : error.fields) name = "settings.safety.textPolicy." + name;
    return error;
  }
  if (!own->defaults.value.value_or(true)) return alone;
  if (sets.empty()) return threads::text::DefaultPolicy();
  return Policy::Make(threads::text::WithDefaults(std::move(sets)));
}

bool HasTextPolicy(const Host& host, const threads::Caller& caller) {
  return caller.user && !caller.is_staff() && PolicyOf(host, caller) != nullptr;
}

threads::ExaminedPtr ExamineTexts(const Host& host, const threads::Caller& caller, threads::Texts texts) {
  // The size of a tab, and room for a subject and for a stranger's questions.
  constexpr size_t kOthersMost = threads::SizeLimits().max_tab_bytes + 8 * 1024;
  return threads::Examine(PolicyOf(host, caller), host.sealer(), caller, std::move(texts),
                          {host.max_body_bytes(), kOthersMost});
}

}  // namespace parley::features
