// A user's record: an item of kind `user` in the table `tenants`, with an item of kind `identity` for each
// channel on which they are known. Attributes of the item that are not here (those of assistants) stay
// unchanged when the record is written.
//
// Pure functions, any thread.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "accounts/jwt.h"
#include "accounts/records/records.h"
#include "protocol/base/ids.h"
#include "protocol/field_types.h"

namespace parley::accounts {

inline constexpr size_t kEmailBytesMax = 254;
inline constexpr size_t kDisplayNameBytesMax = 200;
inline constexpr size_t kIdentitiesMax = 16;         // one id on each channel
inline constexpr size_t kIdentityTypeBytesMax = 32;  // a-z, 0-9, _ and -
inline constexpr size_t kIdentityBytesMax = 256;     // visible characters but #
inline constexpr size_t kUserAttributesMax = kTokenAttrsMax;
// As JSON, all of them together: they must fit in a token beside everything else.
inline constexpr size_t kUserAttributesBytesMax = 4096;
inline constexpr size_t kPreferencesBytesMax = 16 * 1024;  // as JSON
inline constexpr int kPreferencesDepthMax = 8;

enum class UserRole : uint8_t { kMember, kAdmin, kSupport, kModerator, kBot };

using UserAttributes = std::map<std::string, AttrValue>;

struct User {
  protocol::UserId id;
  std::optional<std::string> email;  // folded to lower case
  std::optional<std::string> display_name;
  UserRole role = UserRole::kMember;
  std::map<std::string, std::string> identities;  // channel -> the user's id there
  UserAttributes attributes;
  std::string preferences;  // one MessagePack map
  protocol::Time created_at, updated_at;
  int64_t version = 1;
};

// The form in replies.
struct UserView {
  std::string user_id;
  std::optional<std::string> email, display_name;
  UserRole role = UserRole::kMember;
  protocol::Dictionary<std::string> identities;
  protocol::Json attributes, preferences;
  protocol::Time created_at, updated_at;
  int64_t version = 1;
  static constexpr void Fields(auto& field) {
    using T = UserView;
    field("userId", &T::user_id, "the user");
    field("email", &T::email, "their address, in lower case");
    field("displayName", &T::display_name, "the display name");
    field("role", &T::role, "the role: member, admin, support, moderator or bot");
    field("channelIdentities", &T::identities, "the user's ids on other channels");
    field("attributes", &T::attributes, "attributes that their tokens carry as `attrs`");
    field("preferences", &T::preferences,
          "their own settings, whatever the client keeps there; `safeMode` (on, off) is the server's, too");
    field("createdAt", &T::created_at, "time of creation");
    field("updatedAt", &T::updated_at, "time of the last change");
    field("version", &T::version, "counts its changes, from 1");
  }
};
UserView ViewOf(const User& user);
// Whether the user switched Safe-Mode off for all their devices: the preference `safeMode`.
bool PrefersNoSafeMode(const User& user);
std::string EncodeUser(const User& user);  // the view, as one MessagePack value

// `base`: the item's other attributes.
Item ToItem(const protocol::TenantId& tenant, const User& user, Item base = {});
// INTERNAL: the item cannot be read.
protocol::Result<User> UserFrom(const Item& item);

}  // namespace parley::accounts

template <>
struct parley::protocol::EnumNames<parley::accounts::UserRole> {
  static constexpr std::string_view kNames[] = {"member", "admin", "support", "moderator", "bot"};
};
