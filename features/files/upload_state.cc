#include "features/files/upload_state.h"

#include "protocol/base/reason.h"

namespace parley::features {
namespace {

protocol::Status MaySendFiles(const threads::ReadContext& context, const protocol::ThreadId& thread) {
  PARLEY_TRY(standing, threads::StandingOf(context, thread));
  PARLEY_CHECK_OK(threads::RequirePermission(standing, protocol::Permission::kFiles));
  return threads::RequireOpen(standing.head);
}

}  // namespace

protocol::Result<threads::FileRow> ReadUpload(const Host& host, const storage::Reader& reader,
                                              const UploadLink& link) {
  const accounts::TenantPtr tenant = host.FindTenant(link.tenant);
  if (!tenant || tenant->status != accounts::TenantStatus::kActive)
    return ErrorFor(protocol::Reason::kTenantSuspended, "the tenant is not active");
  threads::Caller caller;
  caller.tenant = link.tenant;
  caller.user = link.by;
  const threads::ReadContext context = host.ContextOf(reader, caller);
  PARLEY_TRY(state, threads::OwnState(context));
  if (state == protocol::UserState::kSuspended)
    return ErrorFor(protocol::Reason::kUserSuspended, "the user is suspended");
  if (!threads::IsProfile(link.thread)) PARLEY_CHECK_OK(MaySendFiles(context, link.thread));
  PARLEY_TRY(row, threads::ReadFile(context.rows(), link.thread, link.file));
  if (!row || row->by != link.by || threads::HasNoBytes(row->state()))
    return ErrorFor(protocol::Reason::kNoFile, "no such upload");
  return *std::move(row);
}

}  // namespace parley::features
