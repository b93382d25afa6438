#include "accounts/users/user_names.h"

#include "accounts/users/user_keys.h"
#include "accounts/users/user_reads.h"
#include "accounts/users/user_standing.h"

namespace parley::accounts {

using protocol::Result;
using protocol::UserId;
using protocol::UserName;

namespace {

Result<UserName> NameOf(const RecordReads& reads, const UserId& id) {
  UserName out;
  out.user_id = id;
  PARLEY_TRY(user, FindUser(reads, id));
  if (user) {
    out.known = true;
    out.display_name = std::move(user->display_name);
    return out;
  }
  PARLEY_TRY(standing, FindStanding(reads, id));
  if (standing.deleted_at) out.deleted.value = true;
  return out;
}

}  // namespace

Result<protocol::List<UserName, protocol::kNamesAtOnce>> NamesOf(const RecordReads& reads,
                                                                 const std::vector<UserId>& users) {
  protocol::List<UserName, protocol::kNamesAtOnce> names;
  for (const UserId& user : users) {
    PARLEY_TRY(name, NameOf(reads, user));
    names.items.push_back(std::move(name));
  }
  return names;
}

Result<bool> HasRecord(const RecordReads& reads, const UserId& user) {
  PARLEY_TRY(found, reads.Find(kTenantsTable, TenantHash(reads.tenant()), UserRange(user.ToText())));
  return found.has_value();
}

}  // namespace parley::accounts
