#include "features/events/feature.h"

#include "features/events/asks.h"
#include "features/events/event_facts.h"
#include "features/events/event_relay.h"
#include "features/events/expired_events.h"
#include "features/events/telemetry.h"

namespace parley::features {
namespace {

std::unique_ptr<fanout::LogRelay> MakeEventRelay(const RelayParts& parts) {
  return std::make_unique<EventRelay>(parts.table, parts.submit, parts.wake, parts.settings, parts.metrics);
}

std::vector<protocol::DocPage> EventDocuments() {
  return {{"telemetry.md", TelemetryManual()}};
}

FillRules MakeEventRules(const std::function<std::string(std::string_view)>&) {
  return [](const accounts::Tenant& tenant, threads::TenantRules* rules) {
    rules->events = EventKindsOf(tenant);
  };
}

}  // namespace

const Feature& EventFeature() {
  static constexpr Relay relays[] = {{threads::Waits::kNothing, &MakeEventRelay}};
  static constexpr fanout::MakeFacts proofs[] = {&facts::MakeEventFacts};
  static const Feature feature{.name = "events",
                               .rules = &MakeEventRules,
                               .relays = relays,
                               .expired = &AddExpiredEvents,
                               .routes = &EventRoutes,
                               .facts = proofs,
                               .documents = &EventDocuments};
  return feature;
}

}  // namespace parley::features
