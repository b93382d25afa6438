// The names of users.
#pragma once

#include "protocol/ops/base.h"

namespace parley::protocol {

struct UserName {
  UserId user_id;
  std::optional<std::string> display_name;
  bool known = false;
  Omit<bool> deleted;
  static constexpr void Fields(auto& field) {
    using T = UserName;
    field("userId", &T::user_id, "the user");
    field("displayName", &T::display_name, "the display name; null: they have no name, or no record");
    field("known", &T::known, "there is a record of them");
    field("deleted", &T::deleted, "true: there was a record, and it was deleted; else left out");
  }
};

inline constexpr size_t kNamesAtOnce = 100;

struct UserGet {
  static constexpr std::string_view kName = "user.get";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "display names, also of users without a record";
  struct Args {
    List<UserId, kNamesAtOnce> user_ids;
    static constexpr void Fields(auto& field) { field("userIds", &Args::user_ids, "at most 100"); }
  };
  struct Reply {
    List<UserName, kNamesAtOnce> users;
    static constexpr void Fields(auto& field) { field("users", &Reply::users, "in the order asked for"); }
  };
};

}  // namespace parley::protocol
