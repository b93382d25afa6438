// The valid content of a user's record, and the rights to change it. Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "accounts/users/user.h"
#include "protocol/base/result.h"

namespace parley::accounts {

// Trims spaces and folds to lower case (ASCII); nullopt if it is no address.
std::optional<std::string> FoldEmail(std::string_view email);
bool IsIdentityType(std::string_view type);
bool IsIdentityId(std::string_view id);

// The editor of a record: a tenant's back end may write everything; an admin of the tenant not `attributes`,
// and only the roles member and moderator; users themselves only their name and preferences.
struct Editor {
  enum class Kind : uint8_t { kService, kAdmin, kSelf };
  Kind kind = Kind::kService;
  std::optional<protocol::UserId> user = {};  // none: a service that does not act as a user
};
// FORBIDDEN: they may neither read nor change this record.
protocol::Status RequireAccess(const Editor& editor, const protocol::UserId& user);

// The requested change. Members of the maps are changed one by one; null removes one.
struct UserChange {
  protocol::Bounded<1, protocol::kMaxSafeInteger> version;
  protocol::Clearable<protocol::Text<2 * kEmailBytesMax>> email;
  protocol::Clearable<protocol::Text<kDisplayNameBytesMax>> display_name;
  std::optional<UserRole> role;
  std::optional<protocol::Json> identities, attributes, preferences;
  static constexpr void Fields(auto& field) {
    using T = UserChange;
    field("version", &T::version, "the one that the change was made from");
    field("email", &T::email, "their address; null takes it away");
    field("displayName", &T::display_name, "the display name; null removes it");
    field("role", &T::role, "the role; an admin may give member and moderator");
    field("channelIdentities", &T::identities, "the user's ids on other channels; null removes one");
    field("attributes", &T::attributes, "attributes that their tokens carry; null removes one");
    field("preferences", &T::preferences, "their own settings, merged at every depth; null takes one away");
  }
};
struct NewUser {
  std::optional<protocol::UserId> user_id;
  std::optional<protocol::Text<2 * kEmailBytesMax>> email;
  std::optional<protocol::Text<kDisplayNameBytesMax>> display_name;
  std::optional<UserRole> role;
  std::optional<protocol::Json> identities, attributes;
  static constexpr void Fields(auto& field) {
    using T = NewUser;
    field("userId", &T::user_id, "their id: 1 to 64 of A-Z a-z 0-9 _ . : -; made if it is not given");
    field("email", &T::email, "their address, unique in the tenant");
    field("displayName", &T::display_name, "the display name");
    field("role", &T::role, "the role: member by default; an admin may give member and moderator");
    field("channelIdentities", &T::identities, "the user's ids on other channels, each unique in the tenant");
    field("attributes", &T::attributes, "attributes that their tokens carry: booleans, integers and texts");
  }
};
UserChange ChangeOf(const NewUser& asked);

// FORBIDDEN: the editor may not change one of the given fields.
protocol::Status RequireMayChange(const Editor& editor, const UserChange& change);
// BAD_REQUEST with the invalid fields.
protocol::Status Apply(const UserChange& change, User* user);
bool FitsAttributes(const UserAttributes& attributes);

}  // namespace parley::accounts
