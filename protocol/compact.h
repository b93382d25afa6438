// The compact form of what a session is told (`compact` of session.hello): items without the fields that
// their reader can fill in.
//
// A field that has its default is left out. What its default is follows from its type, so that what is
// missing has one meaning, and the reader needs nothing but the documented types:
//
//   optional<T>       null; a value that is there stays, 0, false and [] included
//   List<T>           []
//   bool              false
//   int64_t, Bounded  0
//   an enumeration    its usual value, if it has one (kUsual); most have none
//   a struct          {}, when all that is in it was left out
//
// All others stay: texts, ids, times, Json, and Omit<T>, which says something by being missing. What lies
// within an optional, an Omit or a list is made compact in turn, but never left out itself.
//
// In an event, the item's threadId and seq are left out where they are what the frame says, and only then,
// and `at` of message.created where it is the item's createdAt: a message told late, after it was edited, has
// another.
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

// The value of an enumeration that goes without saying.
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
  const CompactShape* within = nullptr;  // of its map, or of each map in its list; nullptr: it stays as it is
};
struct CompactShape {
  std::string_view name;  // of the struct, for documents; empty: of a reply
  std::vector<CompactField> fields;
  bool is_change = false;  // its `item` is of the kind that its `kind` says
};

// The items, by the name that documents know them under: Thread, Participant, Message, Card, Tab, Entry.
const CompactShape& ShapeOf(ChangeKind kind);
const CompactShape& EntryShape();
// Those and every struct within them, each after what it contains.
const std::vector<const CompactShape*>& AllShapes();

// Where a reply holds pages: lists of items, and of changes. Its own fields stay, and so do items that it
// holds beside its lists. nullptr: it holds none.
const CompactShape* ReplyShape(std::string_view op);

// REQUIRES of all that follow: what is given was written by a Writer. Bytes that were not come back
// unchanged.
std::string Compact(const CompactShape& shape, std::string_view item);  // or the map of a reply
std::string CompactSharedEvent(EventKind kind, const ThreadId& thread, int64_t seq, Time at,
                               std::string_view item);
std::string CompactInboxUpdatedEvent(std::string_view entry);

// All of this as JSON, for documents and for readers in other languages:
//
//   {"items": {"Message": {"seq": {"default": 0, "frame": true},
//                          "attachments": {"default": [], "of": "Attachment"}, …}, …},
//    "events": {"message.created": {"item": "Message"}, …, "inbox.updated": {"entry": "Entry"}},
//    "replies": {"message.list": {"messages": "Message"}, …, "thread.changes": {"changes": "Change"}}}
//
// `frame`: in an event, what is missing is what the frame says. `of`: what the value, or each in its list,
// is. A Change is {seq, kind, item}, whose item is of the kind that it says.
std::string CompactRules();

}  // namespace parley::protocol
