#include "threads/contacts/known_users.h"

#include "protocol/base/reason.h"

namespace parley::threads {

protocol::Status RequireKnown(Transaction& tx, const Caller& caller, const std::vector<NamedUser>& users) {
  if (!tx.policy(caller.tenant).known_users_only) return protocol::Ok();
  Error error = ErrorFor(protocol::Reason::kNoUser, "there is no record of a user");
  for (const auto& [field, user] : users) {
    if (user == caller.user) continue;
    PARLEY_TRY(known, tx.IsKnown(caller.tenant, user));
    if (!known) error.fields.emplace_back(field, "there is no user " + user.ToText());
  }
  if (error.fields.empty()) return protocol::Ok();
  return error;
}

}  // namespace parley::threads
