// Enforces the tenant's quotas of uploads: of a user in 24 hours, of a user's incomplete uploads, and of the
// tenant's files in all. Exact with several executors, after a crash, and after uploads have ended; see
// accounts/limits/quotas.h.
//
// Thread contract: any executor's thread.
#pragma once

#include <functional>

#include "accounts/limits/quotas.h"
#include "features/files/settings.h"
#include "features/host/feature.h"
#include "threads/files/file_charge.h"

namespace parley::features {

class UploadQuotas {
 public:
  // Takes the charge of one upload. RATE_LIMITED (perUserPerDayCount, perUserPerDayBytes, concurrentPerUser)
  // or ATTACHMENT_TOO_LARGE (tenantBytes), with `fields.limit` and `fields.left`.
  protocol::Status Take(const threads::CheckInput& input, const FileRules& rules,
                        const threads::FileCharge& charge, threads::Charge::Answer* taken);

 private:
  using Use = accounts::QuotaUse;
  protocol::Status Take(const threads::CheckInput& input, const accounts::QuotaSubject& subject,
                        const std::vector<Use>& uses, threads::Charge::Answer* taken);

  accounts::Quotas quotas_;
};

void AddFileChecks(const CheckParts& parts, threads::Checks* checks);

}  // namespace parley::features
