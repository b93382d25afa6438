// The compact form of items for a session (`compact` of session.hello), without fields that the reader can
// restore.
//
// A field that has its default is left out. The default follows from the field's type, so that a missing
// field has one meaning, and the reader needs only the documented types:
//
//   optional<T>       null; a value that is set stays, 0, false and [] included
//   List<T>           []
//   bool              false
//   int64_t, Bounded  0
//   an enumeration    its usual value, if it has one (kUsual); most have none
//   a struct          {}, if all its fields were left out
//
// All others stay: texts, ids, times, Json, and Omit<T>, whose absence has a meaning. Values within an
// optional, an Omit or a list are made compact in turn, but never left out.
//
// In an event, the item's threadId and seq are left out only if they equal the frame's, and `at` of
// message.created only if it equals the item's createdAt: they differ for a message that is sent late, after
// an edit.
//
// Items are stored, logged and spliced as encoded bytes, so this works on bytes: one pass, without a tree,
// led by shapes that are made once from Fields(). Fields that a shape does not know stay.
//
// Thread contract: any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/time.h"
#include "protocol/events.h"
#include "protocol/items.h"

namespace parley::protocol {

// The default value of an enumeration, if it has one.
template <NamedEnum E>
inline constexpr std::optional<E> kUsual = std::nullopt;
template <>
inline constexpr std::optional<Moderation> kUsual<Moderation> = Moderation::kClean;
template <>
inline constexpr std::optional<MessageType> kUsual<MessageType> = MessageType::kText;

enum class Default : uint8_t { kNone, kNull, kEmptyList, kFalse, kZero, kUsualName, kEmptyMap };

struct CompactShape;
struct CompactField {
  std::string_view name;
  Default standard = Default::kNone;
  std::string_view usual = {};           // the name, if that is the default
  const CompactShape* within = nullptr;  // for its map, or for each map in its list; nullptr: unchanged
};
struct CompactShape {
  std::string_view name;  // the struct's, for documents; empty for a reply
  std::vector<CompactField> fields;
  bool is_change = false;  // `item` has the kind that `kind` names
};

// The items by their documented names: Thread, Participant, Message, Card, Tab, Entry.
const CompactShape& ShapeOf(ChangeKind kind);
const CompactShape& EntryShape();
// Those and every struct within them, each after the structs that it contains.
const std::vector<const CompactShape*>& AllShapes();

// The shape of a change, {seq, kind, item}, whose kind names the type of its item.
const CompactShape& ChangeShape();

// REQUIRES for all functions below: a Writer wrote the input. Other bytes come back
// unchanged.
std::string Compact(const CompactShape& shape, std::string_view item);  // or the map of a reply
std::string CompactSharedEvent(EventKind kind, const ThreadId& thread, int64_t seq, Time at,
                               std::string_view item);
std::string CompactInboxUpdatedEvent(std::string_view entry);

}  // namespace parley::protocol
