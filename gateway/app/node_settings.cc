#include "gateway/app/node_settings.h"

#include <algorithm>

#include "accounts/tenants/demo.h"
#include "accounts/users/user_names.h"
#include "features/all.h"
#include "gateway/app/options.h"
#include "threads/model/card_kinds.h"

namespace parley::gateway {
namespace {

threads::CardPorts BitOf(accounts::CardPort port) {
  const auto name = protocol::NameOf(port);
  const auto* const found =
      std::find(std::begin(threads::kCardPortNames), std::end(threads::kCardPortNames), name);
  return static_cast<threads::CardPorts>(1u << (found - std::begin(threads::kCardPortNames)));
}

threads::CardPorts PortsOf(const accounts::Tenant& tenant, threads::CardPorts of_server) {
  const auto& own = tenant.settings.card_ports.value;
  if (!own) return of_server;
  threads::CardPorts out = 0;
  for (const accounts::CardPort port : own->items) out = static_cast<threads::CardPorts>(out | BitOf(port));
  return out;
}

}  // namespace

std::function<threads::TenantRules(const protocol::TenantId&)> RulesFrom(
    const Config& config, const accounts::TenantDirectory& tenants) {
  const threads::CardPorts ports = FindCardPorts(config).value_or(0);
  std::vector<features::FillRules> of_features;
  const auto option = [&config](std::string_view key) { return ValueOfOption(config, key); };
  for (const features::Feature* feature : features::AllFeatures())
    if (feature->rules) of_features.push_back(feature->rules(option));
  return [&tenants, ports, of_features = std::move(of_features)](const protocol::TenantId& id) {
    const accounts::TenantPtr tenant = tenants.Find(id.value);
    if (!tenant) return threads::TenantRules{false, ports};
    threads::TenantRules rules;
    rules.user_projects = tenant->user_projects();
    rules.card_ports = PortsOf(*tenant, ports);
    rules.known_users_only = tenant->settings.known_users_only.value.value_or(false);
    for (const features::FillRules& fill : of_features) fill(*tenant, &rules);
    return rules;
  };
}

std::shared_ptr<threads::Checks> ChecksFrom(const features::CheckParts& parts, RateLimits* rate_limits) {
  auto checks = std::make_shared<threads::Checks>();
  for (const features::Feature* feature : features::AllFeatures())
    if (feature->checks) feature->checks(parts, checks.get());
  checks->Add<threads::Charge>(
      [rate_limits](const threads::CheckInput& input, const threads::Charge& charge,
                    threads::Charge::Answer* taken) { return rate_limits->Take(input, charge, taken); });
  return checks;
}

threads::ExecutorSettings ExecutorSettingsFor(const Config& config, const features::CheckParts& parts,
                                              std::shared_ptr<const threads::Checks> checks,
                                              threads::Tracer* tracer) {
  threads::ExecutorSettings settings;
  settings.tracer = tracer;
  settings.is_known = [&sealer = parts.sealer](const storage::Reader& reader,
                                               const protocol::TenantId& tenant, const protocol::UserId& user,
                                               protocol::Time now) {
    return accounts::HasRecord(accounts::RecordReads(reader, tenant, now, sealer), user);
  };
  settings.checks = std::move(checks);
  settings.limits.max_body_bytes = static_cast<size_t>(config.max_body_bytes);
  settings.limits.edit_window_ms = config.edit_window_ms;
  settings.limits.max_listed_reactors = config.max_listed_reactors;
  settings.limits.idle_archive_ms = config.idle_archive_days * 24 * 3600 * 1000;
  settings.policy = parts.rules_of;
  return settings;
}

RateLimits::LimitsOf LimitsFrom(const accounts::TenantDirectory& tenants, bool demo_has_limits) {
  return [&tenants, demo_has_limits](const protocol::TenantId& id) {
    const accounts::TenantPtr tenant = tenants.Find(id.value);
    accounts::EffectiveLimits limits = tenant ? tenant->limits() : accounts::EffectiveLimits{};
    const bool is_said =
        tenant && tenant->settings.limits.value && tenant->settings.limits.value->enabled.value;
    if (id.value.text() == accounts::kDemoTenant && !is_said) limits.enabled = demo_has_limits;
    return limits;
  };
}

AuthenticatorSettings AuthenticatorSettingsFor(const Config& config, const storage::Table& table,
                                               const storage::Sealer& sealer, std::string operator_key) {
  AuthenticatorSettings settings;
  settings.staff_by_case = config.staff_access == "cases";
  settings.operator_key = std::move(operator_key);
  if (config.demo) settings.demo_key = accounts::DemoServiceKey(table.identity().secret);
  settings.sealer = sealer;
  return settings;
}

storage::ItemWriterSettings ItemWriterSettingsFor(const Config& config, const storage::Sealer& sealer,
                                                  protocol::Metrics& metrics) {
  storage::ItemWriterSettings settings;
  settings.tenant_bytes_max = config.table_bytes_per_tenant;
  settings.sealer = sealer;
  std::vector<features::OnExpiredItem> all;
  for (const features::Feature* feature : features::AllFeatures()) {
    if (feature->expired) all.push_back(feature->expired(metrics));
  }
  settings.on_expired = [all](const storage::TableDef& def, const storage::Item& item) {
    for (const features::OnExpiredItem& one : all) one(def, item);
  };
  return settings;
}

fanout::WorkerSettings WorkerSettingsFor(const Config& config) {
  fanout::WorkerSettings settings;
  settings.gather_ms = config.fanout_gather_ms;
  settings.patience_ms = config.fanout_patience_ms;
  settings.save_cursor_every = config.fanout_save_every;
  settings.trim_every = config.fanout_trim_every;
  return settings;
}

fanout::RelaySettings RelaySettingsFor(const Config& config) {
  fanout::RelaySettings settings;
  settings.save_every = config.fanout_save_every;
  return settings;
}

}  // namespace parley::gateway
