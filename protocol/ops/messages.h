// Ops on messages: sending, reading, changing and marking them, and sending one message to all legs of an
// LBG.
#pragma once

#include "protocol/ops/base.h"

namespace parley::protocol {

struct MessageSend {
  static constexpr std::string_view kName = "message.send";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "answered when the message is on disk; idempotent on (thread, author, clientId)";
  struct Args {
    ThreadId thread_id;
    ClientId client_id;
    SendType type = SendType::kText;
    Body body;
    std::optional<List<AttachmentRef, 10>> attachments;
    std::optional<MessageId> reply_to;
    std::optional<Bounded<0, 2>> nsfw_band;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("clientId", &Args::client_id, "makes a repeat return the first result");
      field("type", &Args::type, "text or asset");
      field("body", &Args::body, "markdown, at most maxBodyBytes");
      field("attachments", &Args::attachments, "files shown with it");
      field("replyTo", &Args::reply_to, "the message it answers");
      field("nsfwBand", &Args::nsfw_band, "0 safe, 1 suggestive, 2 mature");
    }
  };
  struct Reply {
    MessageId message_id;
    Time created_at;
    int64_t seq = 0, msg_no = 0;
    bool duplicate = false;
    Omit<Json> nudge;
    static constexpr void Fields(auto& field) {
      field("messageId", &Reply::message_id, "the message");
      field("createdAt", &Reply::created_at, "time of acceptance");
      field("seq", &Reply::seq, "the seq of its creation");
      field("msgNo", &Reply::msg_no, "its place");
      field("duplicate", &Reply::duplicate, "true: answered from the first result");
      field("nudge", &Reply::nudge, "a hint on the text policy");
    }
  };
};

struct MessageList {
  static constexpr std::string_view kName = "message.list";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "a page of messages: newest first, or oldest first with `after`";
  struct Args {
    ThreadId thread_id;
    std::optional<std::string> before;
    std::optional<std::string> after;
    std::optional<PageLimit> limit;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("before", &Args::before, "a cursor or a messageId, exclusive");
      field("after", &Args::after, "a cursor or a messageId, exclusive; not with before");
      field("limit", &Args::limit, "50 if not given");
    }
  };
  struct Reply {
    EncodedListOf<Message> messages;
    std::optional<std::string> cursor;
    static constexpr void Fields(auto& field) {
      field("messages", &Reply::messages, "the page");
      field("cursor", &Reply::cursor, "to be passed in the same argument; null at the end");
    }
  };
};

struct MessageEdit {
  static constexpr std::string_view kName = "message.edit";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc = "the author within editWindowMs, staff at any time with a reason";
  struct Args {
    ThreadId thread_id;
    MessageId message_id;
    Body body;
    std::optional<Text<1000>> reason;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("messageId", &Args::message_id, "the message");
      field("body", &Args::body, "the new text");
      field("reason", &Args::reason, "staff: the reason");
    }
  };
  using Reply = MessageReply;
};

struct MessageDelete {
  static constexpr std::string_view kName = "message.delete";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "the author within editWindowMs, staff at any time with a reason; the frame keeps its place";
  struct Args {
    ThreadId thread_id;
    MessageId message_id;
    std::optional<Text<1000>> reason;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("messageId", &Args::message_id, "the message");
      field("reason", &Args::reason, "staff: the reason");
    }
  };
  using Reply = MessageReply;
};

struct MessageReact {
  static constexpr std::string_view kName = "message.react";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "sets or removes the caller's emoji on a message; unread numbers do not change";
  struct Args {
    ThreadId thread_id;
    MessageId message_id;
    Text<64> emoji;
    bool on = true;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("messageId", &Args::message_id, "the message");
      field("emoji", &Args::emoji, "the emoji; at most 64 different ones on a message");
      field("on", &Args::on, "set or remove");
    }
  };
  struct Reply {
    List<Reaction, 64> reactions;
    static constexpr void Fields(auto& field) {
      field("reactions", &Reply::reactions, "all of the message's");
    }
  };
};

struct MessagePin {
  static constexpr std::string_view kName = "message.pin";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc = "pins a message for all members, or unpins it";
  struct Args {
    ThreadId thread_id;
    MessageId message_id;
    bool pinned = true;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("messageId", &Args::message_id, "the message");
      field("pinned", &Args::pinned, "pin or unpin; at most 20 pins in a thread");
    }
  };
  using Reply = MessageReply;
};

}  // namespace parley::protocol
