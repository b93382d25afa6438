#include "features/people/departures.h"

#include "accounts/permissions/permissions.h"
#include "accounts/users/departed.h"
#include "accounts/users/user_changes.h"
#include "features/host/records.h"
#include "features/people/asks.h"
#include "features/people/stored_blocks.h"

namespace parley::features {

using accounts::Departed;
using accounts::kClearedAtOnce;
using accounts::RecordTransaction;
using protocol::Result;

Result<bool> ClearSome(RecordTransaction& tx, const protocol::UserId& user) {
  PARLEY_TRY(after, accounts::FindDeparted(tx, user));
  if (!after) return false;
  PARLEY_TRY(more, accounts::ClearDeleted(tx, user));
  if (more) return true;
  RecordTransaction blocks(tx.tx(), tx.tenant());
  PARLEY_TRY(more_blocks, ClearBlocks(blocks, user, kClearedAtOnce));
  if (more_blocks) return true;
  RecordTransaction permissions(tx.tx(), tx.tenant());
  PARLEY_TRY(next, accounts::ClearPermissions(permissions, user, *after, kClearedAtOnce));
  if (next) {
    accounts::NoteDeparted(tx, user, *next);
  } else {
    accounts::ForgetDeparted(tx, user);
  }
  return next.has_value();
}

void ClearDeparted(Host& host, const Departed& who, std::function<void()> then) {
  DecidePeople<bool>(
      host, who.tenant, [user = who.user](RecordTransaction& tx) { return ClearSome(tx, user); },
      [&host, who, then = std::move(then)](const Result<bool>& more) {
        if (more.ok() && *more) return ClearDeparted(host, who, then);
        then();
      });
}

}  // namespace parley::features
