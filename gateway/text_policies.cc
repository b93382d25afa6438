#include "gateway/text_policies.h"

#include <map>
#include <utility>

#include "accounts/tenants/demo.h"
#include "accounts/tenants/policy_settings.h"
#include "gateway/node.h"
#include "protocol/base/log.h"
#include "protocol/base/mutex.h"

namespace parley::gateway {
namespace {

using threads::text::Policy;
using threads::text::PolicyPtr;

// By the settings that they were made from, which say all that there is to know: two stores may share them.
class Made {
 public:
  static Made& All() {
    static Made made;
    return made;
  }

  PolicyPtr Of(const accounts::Tenant& tenant) {
    const bool by_default = tenant.id.value.text() != accounts::kDemoTenant;
    if (tenant.settings_json.find("textPolicy") == std::string::npos)
      return by_default ? threads::text::DefaultPolicy() : nullptr;
    protocol::MutexLock lock(&mutex_);
    const std::pair key(by_default, tenant.settings_json);
    if (const auto found = made_.find(key); found != made_.end()) return found->second;
    auto policy = MakeTextPolicy(tenant.settings_json, by_default);
    if (!policy.ok()) {  // the settings of another version
      protocol::Log(protocol::LogLevel::kWarn, "gateway", "a tenant's text policy cannot be used",
                    {{"tenant", tenant.id.ToText()}});
      policy = threads::text::DefaultPolicy();
    }
    if (made_.size() >= kMost) made_.clear();
    made_.emplace(key, *policy);
    return *policy;
  }

 private:
  static constexpr size_t kMost = 1000;
  protocol::Mutex mutex_;
  std::map<std::pair<bool, std::string>, PolicyPtr> made_ GUARDED_BY(mutex_);
};

PolicyPtr PolicyOf(Lane& lane, const threads::Caller& caller) {
  const accounts::TenantPtr tenant = lane.node().tenants().Find(caller.tenant.value);
  return tenant ? Made::All().Of(*tenant) : nullptr;
}

}  // namespace

protocol::Result<PolicyPtr> MakeTextPolicy(const std::string& settings_json, bool by_default) {
  std::string json = settings_json;
  PARLEY_TRY(own, accounts::TakePolicySettings(&json));
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

bool HasTextPolicy(Lane& lane, const threads::Caller& caller) {
  return caller.user && !caller.is_staff() && PolicyOf(lane, caller) != nullptr;
}

threads::ExaminedPtr ExamineTexts(Lane& lane, const threads::Caller& caller, threads::Texts texts) {
  // As much as a tab holds, and a subject and what a stranger asks to be told beside it.
  constexpr size_t kOthersMost = threads::Limits().max_tab_bytes + 8 * 1024;
  const Node& node = std::as_const(lane.node());
  return threads::Examine(PolicyOf(lane, caller), node.sealer(), caller, std::move(texts),
                          {static_cast<size_t>(node.config().max_body_bytes), kOthersMost});
}

}  // namespace parley::gateway
