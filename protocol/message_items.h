// A message as it appears on the wire and in rows, with its parts. The rules for changing these structs are
// at the end of items.h.
#pragma once

#include <optional>
#include <string>

#include "protocol/base/ids.h"
#include "protocol/cards.h"
#include "protocol/schema.h"

namespace parley::protocol {

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

enum class AttachmentKind : uint8_t { kPreview, kManifest };
template <>
struct EnumNames<AttachmentKind> {
  static constexpr std::string_view kNames[] = {"preview", "manifest"};
};

enum class Moderation : uint8_t { kClean, kFlagged, kBlocked, kRedacted };
template <>
struct EnumNames<Moderation> {
  static constexpr std::string_view kNames[] = {"clean", "flagged", "blocked", "redacted"};
};

struct Attachment {
  AttachmentKind kind = AttachmentKind::kPreview;
  std::optional<Text<1024>> s3_key;
  std::optional<Text<1024>> manifest_ref;
  std::optional<Text<127>> mime;
  std::optional<Bounded<0, 1'000'000>> w;
  std::optional<Bounded<0, 1'000'000>> h;
  friend bool operator==(const Attachment&, const Attachment&) = default;

  static constexpr void Fields(auto& field) {
    using T = Attachment;
    field("kind", &T::kind, "preview of an upload, or manifest of external files");
    field("s3Key", &T::s3_key, "where a preview is stored");
    field("manifestRef", &T::manifest_ref, "which manifest");
    field("mime", &T::mime, "media type");
    field("w", &T::w, "width in pixels");
    field("h", &T::h, "height in pixels");
  }
};

struct MessageFlags {
  Moderation moderation = Moderation::kClean;
  List<Text<200>, 16> policy_hints;

  static constexpr void Fields(auto& field) {
    using T = MessageFlags;
    field("moderation", &T::moderation, "verdict");
    field("policyHints", &T::policy_hints, "the rules it may break");
  }
};

struct Reaction {
  Text<64> emoji;
  Omit<int64_t> count;  // missing in rows of older releases, whose `userIds` are complete
  List<UserId, 100> user_ids;

  static constexpr void Fields(auto& field) {
    using T = Reaction;
    field("emoji", &T::emoji, "what");
    field("count", &T::count, "how many users reacted so; left out: as many as `userIds` has");
    field("userIds", &T::user_ids, "users who reacted: the first 100");
  }
};

struct PinMark {
  UserId by;
  Time at;

  static constexpr void Fields(auto& field) {
    using T = PinMark;
    field("by", &T::by, "the user who pinned it");
    field("at", &T::at, "when");
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
    field("createdAt", &T::created_at, "when the server accepted it");
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
    field("deletedAt", &T::deleted_at, "when it was deleted");
    field("reactions", &T::reactions, "emoji acknowledgements");
    field("pin", &T::pin, "the user who pinned it; left out: not pinned");
    field("broadcast", &T::broadcast, "left out unless it went to several legs of an LBG");
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
    field("createdAt", &T::created_at, "when it was sent");
  }
};

}  // namespace parley::protocol
