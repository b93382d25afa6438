// The attributes of a user that contact filters and credits depend on. Any thread.
#pragma once

#include <optional>

#include "accounts/records/records.h"
#include "accounts/users/user.h"

namespace parley::accounts {

struct Personal {
  bool verified = false, trusted = false;
  int64_t age = 0;  // in years, at least
  bool credits_frozen = false;
  std::optional<int64_t> credits_cap;
};
Personal PersonalOf(const UserAttributes& attributes);
// By the user's record; the default without one.
protocol::Result<Personal> FindPersonal(const RecordReads& reads, const protocol::UserId& user);

}  // namespace parley::accounts
