// The ops about people: blocks between two users, presence, and display names.
#pragma once

#include "protocol/ops/base.h"
#include "protocol/ops/list.h"
#include "protocol/people.h"

namespace parley::features {

using protocol::Empty;
using protocol::List;
using protocol::OpKind;
using protocol::PageLimit;
using protocol::UserId;

struct PresenceGet {
  static constexpr std::string_view kName = "presence.get";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "the presence of each user";
  struct Args {
    List<UserId, 200> user_ids;
    static constexpr void Fields(auto& field) { field("userIds", &Args::user_ids, "at most 200"); }
  };
  struct Reply {
    List<protocol::PresenceItem, 200> presence;
    static constexpr void Fields(auto& field) {
      field("presence", &Reply::presence, "in the order asked for");
    }
  };
};

struct UserGet {
  static constexpr std::string_view kName = "user.get";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "display names, also of users without a record";
  struct Args {
    List<UserId, protocol::kNamesAtOnce> user_ids;
    static constexpr void Fields(auto& field) { field("userIds", &Args::user_ids, "at most 100"); }
  };
  struct Reply {
    List<protocol::UserName, protocol::kNamesAtOnce> users;
    static constexpr void Fields(auto& field) { field("users", &Reply::users, "in the order asked for"); }
  };
};

struct UserBlock {
  static constexpr std::string_view kName = "user.block";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "the two can no longer write to each other; the other user is not notified, and a repeat changes "
      "nothing";
  struct Args {
    UserId user_id;
    static constexpr void Fields(auto& field) { field("userId", &Args::user_id, "the user to block"); }
  };
  using Reply = Empty;
};

struct UserUnblock {
  static constexpr std::string_view kName = "user.unblock";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc = "removes the caller's own block";
  struct Args {
    UserId user_id;
    static constexpr void Fields(auto& field) { field("userId", &Args::user_id, "the user to unblock"); }
  };
  using Reply = Empty;
};

struct UserBlocks {
  static constexpr std::string_view kName = "user.blocks";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "the users that the caller has blocked";
  struct Args {
    std::optional<std::string> cursor;
    std::optional<PageLimit> limit;
    static constexpr void Fields(auto& field) {
      field("cursor", &Args::cursor, "continue from here");
      field("limit", &Args::limit, "50 if not given");
    }
  };
  struct Reply {
    List<protocol::BlockedUser, 200> items;
    std::optional<std::string> cursor;
    static constexpr void Fields(auto& field) {
      field("items", &Reply::items, "in order of userId");
      field("cursor", &Reply::cursor, "null at the end");
    }
  };
};

using PeopleOps = protocol::OpList<PresenceGet, UserGet, UserBlock, UserUnblock, UserBlocks>;

}  // namespace parley::features
