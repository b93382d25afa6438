// Reads users (T3-U1 to U5): by id, by e-mail, by their identity on a channel or at an identity provider, and
// in order of their ids. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounts/records/records.h"
#include "accounts/users/user.h"

namespace parley::accounts {

using MaybeUser = std::optional<User>;

protocol::Result<MaybeUser> FindUser(const RecordReads& reads, const protocol::UserId& user);
// Accepts the address in any spelling. nullopt if it is no address.
protocol::Result<MaybeUser> FindUserByEmail(const RecordReads& reads, std::string_view email);
protocol::Result<MaybeUser> FindUserByIdentity(const RecordReads& reads, std::string_view type,
                                               std::string_view id);
// "type:id", as a query has it; BAD_REQUEST if there is no colon.
protocol::Result<MaybeUser> FindUserByIdentity(const RecordReads& reads, std::string_view text);

struct UserPage {
  std::vector<User> users;
  std::optional<std::string> last;  // the id before the next page; none: this was the last
};
struct UserListing {
  std::string prefix = {};  // the id's beginning; empty: all
  std::optional<std::string> after = {};
  size_t limit = 50;
};
protocol::Result<UserPage> ListUsers(const RecordReads& reads, const UserListing& listing);

}  // namespace parley::accounts
