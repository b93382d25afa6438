#include "threads/files/profile_file.h"

#include <utility>

#include "protocol/base/reason.h"
#include "threads/files/file_charge.h"
#include "threads/files/file_upkeep.h"

namespace parley::threads {

Result<Decision> BeginProfile(Transaction& tx, const Caller& caller, const UploadWish& wish,
                              FilePurpose purpose) {
  if (!caller.user)
    return ErrorFor(protocol::Reason::kOnlyUsers, "a service uploads as a user; name one by Parley-User");
  if (purpose == FilePurpose::kBrand && !caller.is_service() && caller.role != Role::kAdmin)
    return ErrorFor(protocol::Reason::kOnlyStaff, "only services and admins set the brand");
  FileRow row = RowFor(wish, *caller.user, tx.moment().now);
  row.purpose.value = purpose;
  PARLEY_CHECK_OK(ChargeFile(tx, caller.tenant, nullptr, &row));
  Draft draft(ThreadRow(), tx.moment().now);
  const std::string reply = protocol::Encode(protocol::AttachmentReply{row.item});
  WriteFile(caller.tenant, wish.thread, nullptr, std::move(row), &draft);
  return draft.Finish(reply);
}

protocol::Status BecomeCurrent(const RowReader& rows, FileRow* row, Draft* draft) {
  if (!row->purpose.value || row->state() != FileState::kReady || row->current.value) return protocol::Ok();
  const TenantId& tenant = rows.tenant();
  PARLEY_TRY(before, ReadProfile(rows, *row->purpose.value, row->by));
  if (before) {
    PARLEY_TRY(old, ReadFile(rows, {}, *before));
    if (old) {
      FileRow left = *old;
      left.current = {};
      WriteFile(tenant, {}, &*old, std::move(left), draft);
      LeaveFile(tenant, {}, *before, draft);
    }
  }
  row->current.value = true;
  draft->Beside(ProfilePartition(tenant, *row->purpose.value, row->by),
                {ProfileKey(), storage::Row{1, std::string(row->id().ulid.raw())}});
  return protocol::Ok();
}

}  // namespace parley::threads
