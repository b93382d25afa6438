// Ops of project threads: panel tabs, the meeting they lead to, one message to all legs of an LBG, and marks
// that members set on messages.
#pragma once

#include "protocol/ops_base.h"

namespace parley::protocol {

struct TabReply {
  EncodedOf<Tab> tab;
  static constexpr auto Fields() { return std::tuple(Field("tab", &TabReply::tab, "the tab")); }
};

struct TabGet {
  static constexpr std::string_view kName = "tab.get";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc =
      "reads one tab of the panel; one that nobody wrote yet has version 0 and no content";
  struct Args {
    ThreadId thread_id;
    TabName tab = TabName::kBrief;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("tab", &Args::tab, "which tab"));
    }
  };
  using Reply = TabReply;
};

struct TabPut {
  static constexpr std::string_view kName = "tab.put";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "replaces a tab's content; another version than the tab's is PANEL_VERSION_CONFLICT with `current`";
  struct Args {
    ThreadId thread_id;
    TabName tab = TabName::kBrief;
    Seq version;
    Json content;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("tab", &Args::tab, "which tab"),
                        Field("version", &Args::version, "the version this content is based on; 0: none yet"),
                        Field("content", &Args::content, "all of the tab's content, by the tab's schema"));
    }
  };
  using Reply = TabReply;
};

struct ThreadSchedule {
  static constexpr std::string_view kName = "thread.schedule";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "service or staff: says when the parties meet; a first meeting gets its safety tip a day before";
  struct Args {
    ThreadId thread_id;
    Clearable<Time> meeting_at;
    std::optional<bool> first_meeting;
    static constexpr auto Fields() {
      return std::tuple(
          Field("threadId", &Args::thread_id, "the thread"),
          Field("meetingAt", &Args::meeting_at, "when they meet; null: not any more"),
          Field(
              "firstMeeting", &Args::first_meeting,
              "whether they have not met before; if not given, the server goes by the meetings it knows of; "
              "two whom it knows to have met get no tip in any case"));
    }
  };
  using Reply = ThreadReply;
};

inline constexpr size_t kMaxBroadcastThreads = 50;  // leg threads one broadcast reaches

struct ThreadBroadcast {
  static constexpr std::string_view kName = "thread.broadcast";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "owners: the same message into each leg thread of an LBG; replies stay where they are given";
  struct Args {
    LbgId lbg_id;
    ClientId client_id;
    Body body;
    std::optional<List<Attachment, 20>> attachments;
    std::optional<Bounded<0, 2>> nsfw_band;
    static constexpr auto Fields() {
      return std::tuple(
          Field("lbgId", &Args::lbg_id, "the linked booking group"),
          Field("clientId", &Args::client_id, "makes a repeat answer the first result, and complete it"),
          Field("body", &Args::body, "markdown, at most maxBodyBytes"),
          Field("attachments", &Args::attachments, "files shown with it"),
          Field("nsfwBand", &Args::nsfw_band, "0 safe, 1 suggestive, 2 mature"));
    }
  };
  // What came of it in one thread.
  struct Sent {
    ThreadId thread_id;
    std::optional<MessageId> message_id;
    std::optional<std::string> error;
    static constexpr auto Fields() {
      return std::tuple(
          Field("threadId", &Sent::thread_id, "a leg thread"),
          Field("messageId", &Sent::message_id, "the message there"),
          Field("error", &Sent::error, "why there is none: an error code; a repeat tries again"));
    }
  };
  struct Reply {
    List<Sent, kMaxBroadcastThreads> sent;
    bool duplicate = false;
    static constexpr auto Fields() {
      return std::tuple(Field("sent", &Reply::sent, "one for each leg thread, oldest first"),
                        Field("duplicate", &Reply::duplicate, "true: all of it was there already"));
    }
  };
};

struct MessageReact {
  static constexpr std::string_view kName = "message.react";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "sets or takes back the caller's emoji on a message; nobody's unread number moves";
  struct Args {
    ThreadId thread_id;
    MessageId message_id;
    Text<64> emoji;
    bool on = true;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("messageId", &Args::message_id, "the message"),
                        Field("emoji", &Args::emoji, "what; at most 64 different ones on a message"),
                        Field("on", &Args::on, "set or take back"));
    }
  };
  struct Reply {
    List<Reaction, 64> reactions;
    static constexpr auto Fields() {
      return std::tuple(Field("reactions", &Reply::reactions, "all of the message's"));
    }
  };
};

struct MessagePin {
  static constexpr std::string_view kName = "message.pin";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc = "pins a message for all members, or takes it down";
  struct Args {
    ThreadId thread_id;
    MessageId message_id;
    bool pinned = true;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("messageId", &Args::message_id, "the message"),
                        Field("pinned", &Args::pinned, "pin or take down; at most 20 pins in a thread"));
    }
  };
  using Reply = MessageReply;
};

}  // namespace parley::protocol
