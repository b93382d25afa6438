#include "accounts/permissions/departure.h"

#include "accounts/contacts/blocks.h"
#include "accounts/permissions/permissions.h"
#include "accounts/users/departed.h"
#include "accounts/users/user_changes.h"

namespace parley::accounts {

protocol::Result<bool> ClearDeparted(RecordTransaction& tx, const protocol::UserId& user) {
  PARLEY_TRY(after, FindDeparted(tx, user));
  if (!after) return false;
  PARLEY_TRY(more, ClearDeleted(tx, user));
  if (more) return true;
  RecordTransaction blocks(tx.tx(), tx.tenant());
  PARLEY_TRY(more_blocks, ClearBlocks(blocks, user, kClearedAtOnce));
  if (more_blocks) return true;
  RecordTransaction permissions(tx.tx(), tx.tenant());
  PARLEY_TRY(next, ClearPermissions(permissions, user, *after, kClearedAtOnce));
  if (next) {
    NoteDeparted(tx, user, *next);
  } else {
    ForgetDeparted(tx, user);
  }
  return next.has_value();
}

}  // namespace parley::accounts
