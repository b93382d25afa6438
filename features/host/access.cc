#include "features/host/access.h"

#include "accounts/audit/audit_chain.h"
#include "features/host/records.h"
#include "threads/staff/access_log.h"

namespace parley::features {

void RecordAccess(Host& host, const threads::Caller& caller, const protocol::ThreadId& thread,
                  std::string_view op, Done done, std::string reason) {
  threads::Job job;
  job.tenant = caller.tenant;
  job.thread = thread;
  job.decide = [caller, thread, op, reason = std::move(reason)](threads::Transaction& tx) {
    return threads::RecordAccess(tx, caller, thread, op, reason);
  };
  job.done = std::move(done);
  host.Submit(std::move(job));
}

void RecordStaffAccess(Host& host, const threads::Caller& caller, std::string_view op,
                       const std::optional<protocol::UserId>& about,
                       std::function<void(protocol::Status)> then) {
  DecideRecords<protocol::Unit>(
      host, caller.tenant,
      [caller, op, about](accounts::RecordTransaction& tx) -> protocol::Status {
        accounts::AuditAct access{caller.user, std::string(protocol::NameOf(caller.role)),
                                  "look." + std::string(op)};
        access.user_id = about;
        PARLEY_CHECK_OK(accounts::RecordAct(tx, std::move(access)));
        return tx.Commit();
      },
      std::move(then));
}

}  // namespace parley::features
