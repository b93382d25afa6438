// Makes the settings of a node's parts from the configuration and the tenants' settings.
//
// Pure functions; the functions that they return are called on any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "accounts/tenants/tenant_directory.h"
#include "fanout/log_relay.h"
#include "fanout/worker.h"
#include "features/host/feature.h"
#include "gateway/app/authenticator.h"
#include "gateway/app/config.h"
#include "gateway/app/rate_limits.h"
#include "storage/engine/item_writer.h"
#include "threads/engine/executor.h"

namespace parley::gateway {

// The rules of a tenant by its settings, with the server's for those that it does not set.
std::function<threads::TenantRules(const protocol::TenantId&)> RulesFrom(
    const Config& config, const accounts::TenantDirectory& tenants);
// The demo tenant has limits if the option or its settings turn them on.
RateLimits::LimitsOf LimitsFrom(const accounts::TenantDirectory& tenants, bool demo_has_limits);
// The checks of all features and of the rate limits.
std::shared_ptr<threads::Checks> ChecksFrom(const features::CheckParts& parts, RateLimits* rate_limits);
threads::ExecutorSettings ExecutorSettingsFor(const Config& config, const features::CheckParts& parts,
                                              std::shared_ptr<const threads::Checks> checks,
                                              threads::Tracer* tracer);
AuthenticatorSettings AuthenticatorSettingsFor(const Config& config, const storage::Table& table,
                                               const storage::Sealer& sealer, std::string operator_key);
// Adds the metrics that features keep of expired items.
storage::ItemWriterSettings ItemWriterSettingsFor(const Config& config, const storage::Sealer& sealer,
                                                  protocol::Metrics& metrics);
fanout::WorkerSettings WorkerSettingsFor(const Config& config);
fanout::RelaySettings RelaySettingsFor(const Config& config);

}  // namespace parley::gateway
