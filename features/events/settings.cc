#include "features/events/settings.h"

#include "features/events/asks.h"

namespace parley::features {

std::optional<EventType> EventType::FromText(std::string_view text) {
  for (const protocol::EventKindInfo& info : protocol::kEventKinds) {
    if (info.name == text && protocol::IsForBackEnds(info)) return EventType{info.kind};
  }
  return std::nullopt;
}

protocol::EventKindSet EventKindsOf(const accounts::Tenant& tenant) {
  protocol::EventKindSet out = 0;
  const auto& events = tenant.settings.of_features.Of<EventMember>().events.value;
  if (!events || !events->types.value) return out;
  for (const EventType& type : events->types.value->items) out |= protocol::SetOf(type.kind);
  return out;
}

}  // namespace parley::features
