// The settings `events{}` of a tenant: the integration events that its back end subscribed to. Values, any
// thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "accounts/tenants/tenant.h"
#include "protocol/events.h"
#include "protocol/schema.h"

namespace parley::features {

// A durable event of threads: "message.created".
struct EventType {
  protocol::EventKind kind;
  static std::optional<EventType> FromText(std::string_view text);
  std::string ToText() const { return std::string(protocol::NameOf(kind)); }
};

struct EventSettings {
  protocol::Omit<protocol::List<EventType, 64>> types;
  static constexpr void Fields(auto& field) {
    field("types", &EventSettings::types,
          "the domain events that become integration events; none by default");
  }
};

// The member of the tenant's settings.
struct EventMember {
  protocol::Omit<EventSettings> events;
  static constexpr void Fields(auto& field) { field("events", &EventMember::events, "integration events"); }
};

}  // namespace parley::features
