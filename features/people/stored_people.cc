#include "features/people/stored_people.h"

#include "accounts/users/user_standing.h"
#include "features/people/city_switches.h"
#include "features/people/stored_blocks.h"

namespace parley::features {

using protocol::Result;
using protocol::UserId;

namespace {

threads::Messaging MessagingOf(Switched switched) {
  switch (switched) {
    case Switched::kReadOnly:
      return threads::Messaging::kReadOnly;
    case Switched::kDisabled:
      return threads::Messaging::kDisabled;
    case Switched::kOpen:
      break;
  }
  return threads::Messaging::kOpen;
}

}  // namespace

Result<bool> StoredPeople::Blocks(const Asker& asker, const UserId& by, const UserId& whom) const {
  PARLEY_TRY(since,
             FindBlock(accounts::RecordReads(asker.reader, asker.tenant, asker.now, sealer_), by, whom));
  return since.has_value();
}

Result<threads::Sanction> StoredPeople::SanctionOf(const Asker& asker, const UserId& user) const {
  PARLEY_TRY(standing, accounts::FindStanding(
                           accounts::RecordReads(asker.reader, asker.tenant, asker.now, sealer_), user));
  return threads::Sanction{standing.sanction.state, standing.sanction.until, standing.strikes_reset_at};
}

threads::Messaging StoredPeople::MessagingIn(const protocol::TenantId& id,
                                             const std::optional<std::string>& city) const {
  const accounts::TenantPtr tenant = tenants_.Find(id.value);
  return tenant ? MessagingOf(SwitchedIn(tenant, city)) : threads::Messaging::kOpen;
}

bool StoredPeople::IsOffSomewhere(const protocol::TenantId& id) const {
  const accounts::TenantPtr tenant = tenants_.Find(id.value);
  return tenant && IsOffInACity(SwitchesOf(*tenant));
}

}  // namespace parley::features
