// Online status and typing: kept in memory only.
#pragma once

#include "protocol/ops/base.h"

namespace parley::protocol {

struct PresenceItem {
  UserId user_id;
  bool online = false;
  static constexpr void Fields(auto& field) {
    using T = PresenceItem;
    field("userId", &T::user_id, "who");
    field("online", &T::online, "seen within presenceTtlMs");
  }
};

struct TypingSet {
  static constexpr std::string_view kName = "typing.set";
  static constexpr OpKind kKind = OpKind::kSession;
  static constexpr std::string_view kDoc =
      "shows the caller as typing to the other users who opened the thread; ends after typingTtlMs";
  struct Args {
    ThreadId thread_id;
    bool typing = false;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("typing", &Args::typing, "on or off");
    }
  };
  using Reply = Empty;
};

struct PresenceGet {
  static constexpr std::string_view kName = "presence.get";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "the presence of each user";
  struct Args {
    List<UserId, 200> user_ids;
    static constexpr void Fields(auto& field) { field("userIds", &Args::user_ids, "at most 200"); }
  };
  struct Reply {
    List<PresenceItem, 200> presence;
    static constexpr void Fields(auto& field) {
      field("presence", &Reply::presence, "in the order asked for");
    }
  };
};

}  // namespace parley::protocol
