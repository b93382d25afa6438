// The parts of a message that other items and ops use, too: its types, attachments and marks, and its short
// form in an inbox. Headers include this one and not the message itself, so that a change of a message's
// fields compiles few files.
#pragma once

#include <optional>
#include <string>

#include "protocol/attachment.h"
#include "protocol/base/ids.h"
#include "protocol/schema.h"

namespace parley::protocol {

// In message_items.h.
struct Message;
struct MessageFlags;
struct MessageVersion;

enum class MessageType : uint8_t { kText, kAsset, kSystem, kAction };
template <>
struct EnumNames<MessageType> {
  static constexpr std::string_view kNames[] = {"text", "asset", "system", "action"};
};

// The types of message that a client may send.
enum class SendType : uint8_t { kText, kAsset };
template <>
struct EnumNames<SendType> {
  static constexpr std::string_view kNames[] = {"text", "asset"};
};

enum class Moderation : uint8_t { kClean, kFlagged, kBlocked, kRedacted };
template <>
struct EnumNames<Moderation> {
  static constexpr std::string_view kNames[] = {"clean", "flagged", "blocked", "redacted"};
};

struct Reaction {
  Text<64> emoji;
  Omit<int64_t> count;  // missing in rows of older releases, whose `userIds` are complete
  List<UserId, 100> user_ids;

  static constexpr void Fields(auto& field) {
    using T = Reaction;
    field("emoji", &T::emoji, "the emoji");
    field("count", &T::count, "number of users who reacted so; left out: the length of `userIds`");
    field("userIds", &T::user_ids, "users who reacted: the first 100");
  }
};

// Marks a message that was sent to every leg thread of an LBG.
struct BroadcastMark {
  LbgId lbg_id;
  std::string banner;

  static constexpr void Fields(auto& field) {
    using T = BroadcastMark;
    field("lbgId", &T::lbg_id, "the linked booking group");
    field("banner", &T::banner, "to be shown with the message");
  }
};

// The newest message as an inbox shows it.
struct LastMessage {
  MessageId message_id;
  std::optional<UserId> author_user_id;
  MessageType type = MessageType::kText;
  std::string preview;
  Time created_at;

  static constexpr void Fields(auto& field) {
    using T = LastMessage;
    field("messageId", &T::message_id, "the newest message");
    field("authorUserId", &T::author_user_id, "its author");
    field("type", &T::type, "its type");
    field("preview", &T::preview, "at most 140 characters of plain text");
    field("createdAt", &T::created_at, "time of sending");
  }
};

}  // namespace parley::protocol
