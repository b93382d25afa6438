// A message as it appears on the wire and in rows. The rules for changing these structs are at the end of
// items.h. Include this header in sources only, unless a header holds a message.
#pragma once

#include <optional>
#include <string>

#include "protocol/base/ids.h"
#include "protocol/cards.h"
#include "protocol/message_parts.h"
#include "protocol/schema.h"

namespace parley::protocol {

struct MessageFlags {
  Moderation moderation = Moderation::kClean;
  List<Text<200>, 16> policy_hints;

  static constexpr void Fields(auto& field) {
    using T = MessageFlags;
    field("moderation", &T::moderation, "verdict");
    field("policyHints", &T::policy_hints, "the rules it may break");
  }
};

struct PinMark {
  UserId by;
  Time at;

  static constexpr void Fields(auto& field) {
    using T = PinMark;
    field("by", &T::by, "the user who pinned it");
    field("at", &T::at, "time of the pin");
  }
};

struct Message {
  MessageId message_id;
  ThreadId thread_id;
  int64_t seq = 0;
  int64_t msg_no = 0;
  Time created_at;
  MessageType type = MessageType::kText;
  std::string body;
  List<Attachment, 20> attachments;
  std::optional<MessageAction> action;
  std::optional<UserId> author_user_id;
  int64_t nsfw_band = 0;
  MessageFlags flags;
  std::optional<ClientId> client_id;
  std::optional<MessageId> reply_to;
  std::optional<Time> edited_at;
  std::optional<Time> deleted_at;
  List<Reaction, 64> reactions;
  Omit<PinMark> pin;
  Omit<BroadcastMark> broadcast;

  static constexpr void Fields(auto& field) {
    using T = Message;
    field("messageId", &T::message_id, "the message; its time is createdAt");
    field("threadId", &T::thread_id, "its thread");
    field("seq", &T::seq, "seq of its last change");
    field("msgNo", &T::msg_no, "its number in the thread: 1, 2, 3 …");
    field("createdAt", &T::created_at, "time of acceptance by the server");
    field("type", &T::type, "text, asset, system or action");
    field("body", &T::body, "Markdown by convention, as it was sent; empty once deleted");
    field("attachments", &T::attachments, "files shown with it");
    field("action", &T::action, "the card that belongs to it");
    field("authorUserId", &T::author_user_id, "the author; null for system messages");
    field("nsfwBand", &T::nsfw_band, "0 safe, 1 suggestive, 2 mature");
    field("flags", &T::flags, "moderation");
    field("clientId", &T::client_id, "the author's name for the send");
    field("replyTo", &T::reply_to, "the message it answers");
    field("editedAt", &T::edited_at, "last edit");
    field("deletedAt", &T::deleted_at, "time of deletion");
    field("reactions", &T::reactions, "emoji acknowledgements");
    field("pin", &T::pin, "the user who pinned it; left out: not pinned");
    field("broadcast", &T::broadcast, "left out unless it went to several legs of an LBG");
  }
};

// A message as it was before one of its changes.
struct MessageVersion {
  int64_t seq = 0;
  std::optional<Time> at;
  std::optional<UserId> by;
  std::optional<Text<1000>> reason;
  Message before;

  static constexpr void Fields(auto& field) {
    using T = MessageVersion;
    field("seq", &T::seq, "the seq of the change that ended it");
    field("at", &T::at, "time of the change; null if an older release recorded none");
    field("by", &T::by, "the author of the change; null for a service");
    field("reason", &T::reason, "the reason that staff gave");
    field("before", &T::before, "the message as it was before");
  }
};

}  // namespace parley::protocol
