// Builds the wire bytes of threads and messages for a reply to one caller. Staff see more than members: since
// when a thread is not open, why its status last changed, and who changed it. The head's private part keeps
// these, because the item in rows and events is the same for all users.
#pragma once

#include <string>

#include "threads/model/caller.h"
#include "threads/model/mask.h"
#include "threads/model/message_row.h"
#include "threads/model/rows.h"

namespace parley::threads {

// The wire bytes of a thread for a reply to this caller.
inline std::string WireFor(const Caller& caller, const ThreadRow& head) {
  if (!caller.is_staff()) return Wire(head.item);
  protocol::Thread shown = head.item;
  if (caller.masked && shown.subject) shown.subject = Masked(*shown.subject);
  shown.locked_at = head.hidden.locked_at;
  shown.status_reason = head.hidden.status_reason;
  shown.status_by = head.hidden.status_by;
  return Wire(shown);
}

// The wire bytes of a stored message for a page of this caller. Staff other than its author see a reported
// message as flagged, and masked if required. `made` keeps the bytes if they are not the row's.
inline std::string_view MessageWireFor(const Caller& caller, const ItemView& item, std::string* made) {
  // Search for the field's name as MessagePack encodes it, which saves decoding the map.
  constexpr std::string_view kField =
      "\xa7"
      "flagged";
  if (!caller.is_staff()) return item.wire;
  const bool may_be_flagged = item.hidden.find(kField) != std::string_view::npos;
  MessageRow::Private hidden;
  protocol::Message message;
  if (!(may_be_flagged || caller.masked) || !DecodeStored(item.wire, &message)) return item.wire;
  const bool own = message.author_user_id && message.author_user_id == caller.user;
  if (may_be_flagged && !own && DecodeStored(item.hidden, &hidden) && hidden.flagged.value)
    message.flags.moderation = protocol::Moderation::kFlagged;
  if (caller.masked) message = Masked(std::move(message));
  return *made = Wire(message);
}

}  // namespace parley::threads
