#include "accounts/permissions/departure.h"

#include "accounts/contacts/blocks.h"
#include "accounts/permissions/permissions.h"
#include "accounts/users/departed.h"
#include "accounts/users/user_changes.h"

namespace parley::accounts {

protocol::Result<bool> ClearDeparted(RecordTransaction& stage, const protocol::UserId& user) {
  PARLEY_TRY(after, FindDeparted(stage, user));
  if (!after) return false;
  PARLEY_TRY(more, ClearDeleted(stage, user));
  if (more) return true;
  RecordTransaction blocks(stage.stage(), stage.tenant());
  PARLEY_TRY(more_blocks, ClearBlocks(blocks, user, kClearedAtOnce));
  if (more_blocks) return true;
  RecordTransaction permissions(stage.stage(), stage.tenant());
  PARLEY_TRY(next, ClearPermissions(permissions, user, *after, kClearedAtOnce));
  if (next) {
    NoteDeparted(stage, user, *next);
  } else {
    ForgetDeparted(stage, user);
  }
  return next.has_value();
}

}  // namespace parley::accounts
