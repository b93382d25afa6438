// Users as others see them: their names, whether they are online, and the blocks of a user.
#pragma once

#include "protocol/schema.h"

namespace parley::protocol {

struct BlockedUser {
  UserId user_id;
  Time at;
  static constexpr void Fields(auto& field) {
    using T = BlockedUser;
    field("userId", &T::user_id, "the blocked user");
    field("at", &T::at, "the time of the block");
  }
};

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

struct PresenceItem {
  UserId user_id;
  bool online = false;
  static constexpr void Fields(auto& field) {
    using T = PresenceItem;
    field("userId", &T::user_id, "the user");
    field("online", &T::online, "seen within presenceTtlMs");
  }
};

}  // namespace parley::protocol
