// Every event, in one table. The names on the wire, the stored kinds, and catch-up by state are derived from
// it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "protocol/field_types.h"

namespace parley::protocol {

// WARNING: LOG# rows contain these numbers. Never reorder, never reuse; add new ones, durable events
// included, at the end.
enum class EventKind : uint8_t {
  kThreadCreated = 0,
  kThreadUpdated = 1,
  kParticipantAdded = 2,
  kParticipantUpdated = 3,
  kParticipantRemoved = 4,
  kMessageCreated = 5,
  kMessageUpdated = 6,
  kCardUpdated = 7,
  kTabUpdated = 8,
  kSkip = 9,
  kParticipantRead = 10,
  kInboxUpdated = 11,
  kThreadSynced = 12,
  kTyping = 13,
  kPresence = 14,
  kSessionExpiring = 15,
  kSessionDraining = 16,
  kRequestUpdated = 17,
  kMessageBlocked = 18,
  kThreadPromoted = 19,
  kFileScanning = 20,
  kFileReady = 21,
};

// The type of the item that a shared change is about.
enum class ChangeKind : uint8_t { kThread, kParticipant, kMessage, kCard, kTab };
template <>
struct EnumNames<ChangeKind> {
  static constexpr std::string_view kNames[] = {"thread", "participant", "message", "card", "tab"};
};

enum class EventClass : uint8_t {
  kShared,     // durable: takes a seq and a LOG# row
  kRepaired,   // not durable: a client recovers it by reading
  kEphemeral,  // expires
  kSession,
  kIntegration,  // for the tenant's back end only; sessions never receive it
};

struct EventKindInfo {
  EventKind kind;
  std::string_view name;  // as sent
  EventClass of;
  // For shared events:
  std::optional<ChangeKind> item = {};
  // If an item's last change has this kind, a client that does not have the item yet gets `as_new`, and a
  // client with an earlier state gets `as_changed`.
  EventKind as_new = kind, as_changed = kind;
};

inline constexpr EventKindInfo kEventKinds[] = {
    {.kind = EventKind::kThreadCreated,
     .name = "thread.created",
     .of = EventClass::kShared,
     .item = ChangeKind::kThread,
     .as_changed = EventKind::kThreadUpdated},
    {.kind = EventKind::kThreadUpdated,
     .name = "thread.updated",
     .of = EventClass::kShared,
     .item = ChangeKind::kThread,
     .as_new = EventKind::kThreadCreated},
    {.kind = EventKind::kParticipantAdded,
     .name = "participant.added",
     .of = EventClass::kShared,
     .item = ChangeKind::kParticipant,
     .as_changed = EventKind::kParticipantUpdated},
    {.kind = EventKind::kParticipantUpdated,
     .name = "participant.updated",
     .of = EventClass::kShared,
     .item = ChangeKind::kParticipant,
     .as_new = EventKind::kParticipantAdded},
    {.kind = EventKind::kParticipantRemoved,
     .name = "participant.removed",
     .of = EventClass::kShared,
     .item = ChangeKind::kParticipant},
    {.kind = EventKind::kMessageCreated,
     .name = "message.created",
     .of = EventClass::kShared,
     .item = ChangeKind::kMessage,
     .as_changed = EventKind::kMessageUpdated},
    {.kind = EventKind::kMessageUpdated,
     .name = "message.updated",
     .of = EventClass::kShared,
     .item = ChangeKind::kMessage,
     .as_new = EventKind::kMessageCreated},
    {.kind = EventKind::kCardUpdated,
     .name = "card.updated",
     .of = EventClass::kShared,
     .item = ChangeKind::kCard},
    {.kind = EventKind::kTabUpdated,
     .name = "tab.updated",
     .of = EventClass::kShared,
     .item = ChangeKind::kTab},
    {.kind = EventKind::kSkip, .name = "skip", .of = EventClass::kRepaired},
    {.kind = EventKind::kParticipantRead, .name = "participant.read", .of = EventClass::kRepaired},
    {.kind = EventKind::kInboxUpdated, .name = "inbox.updated", .of = EventClass::kRepaired},
    {.kind = EventKind::kThreadSynced, .name = "thread.synced", .of = EventClass::kRepaired},
    {.kind = EventKind::kTyping, .name = "typing", .of = EventClass::kEphemeral},
    {.kind = EventKind::kPresence, .name = "presence", .of = EventClass::kEphemeral},
    {.kind = EventKind::kSessionExpiring, .name = "session.expiring", .of = EventClass::kSession},
    {.kind = EventKind::kSessionDraining, .name = "session.draining", .of = EventClass::kSession},
    {.kind = EventKind::kRequestUpdated, .name = "request.updated", .of = EventClass::kRepaired},
    {.kind = EventKind::kMessageBlocked, .name = "message.blocked", .of = EventClass::kIntegration},
    {.kind = EventKind::kThreadPromoted,
     .name = "thread.promoted_to_project",
     .of = EventClass::kIntegration},
    {.kind = EventKind::kFileScanning, .name = "file.scanning", .of = EventClass::kIntegration},
    {.kind = EventKind::kFileReady, .name = "file.ready", .of = EventClass::kIntegration},
};
inline constexpr size_t kEventKindCount = std::size(kEventKinds);

constexpr const EventKindInfo& Describe(EventKind kind) {
  return kEventKinds[static_cast<size_t>(kind)];
}

namespace events_internal {
constexpr bool TableIsSound() {
  for (size_t i = 0; i < kEventKindCount; ++i) {
    const EventKindInfo& info = kEventKinds[i];
    if (static_cast<size_t>(info.kind) != i || info.name.empty()) return false;
    if ((info.of == EventClass::kShared) != info.item.has_value()) return false;
    if (Describe(info.as_new).item != info.item || Describe(info.as_changed).item != info.item) return false;
  }
  return true;
}
static_assert(TableIsSound(),
              "each kind has its line, in the order of the numbers; shared ones have an item");

constexpr std::array<std::string_view, kEventKindCount> Names() {
  std::array<std::string_view, kEventKindCount> names;
  for (size_t i = 0; i < kEventKindCount; ++i) names[i] = kEventKinds[i].name;
  return names;
}
}  // namespace events_internal

template <>
struct EnumNames<EventKind> {
  static constexpr auto kNames = events_internal::Names();
};

// Some of the kinds, as bits.
using EventKindSet = uint32_t;
static_assert(kEventKindCount <= 32);
constexpr EventKindSet SetOf(EventKind kind) {
  return EventKindSet{1} << static_cast<uint8_t>(kind);
}
// Whether a tenant's back end can request events of this kind.
constexpr bool IsForBackEnds(const EventKindInfo& info) {
  return info.of == EventClass::kShared || info.of == EventClass::kIntegration;
}
// Returns the shared change for a LOG# row's number, or nullopt if it is unknown.
constexpr std::optional<EventKind> SharedKindOf(uint8_t number) {
  if (number >= kEventKindCount || kEventKinds[number].of != EventClass::kShared) return std::nullopt;
  return kEventKinds[number].kind;
}

}  // namespace parley::protocol
