// Records that staff read threads and cases to which they are no party, before they are answered: in the
// access log of one thread, or in the tenant's audit.
//
// Thread contract: the host's thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "features/host/operation.h"

namespace parley::features {

// Records nothing if they are members of the thread. An error is the answer to their request. `op` outlives
// the call. `reason`: empty if they gave none. REQUIRES: the caller is staff.
void RecordAccess(Host& host, const threads::Caller& caller, const protocol::ThreadId& thread,
                  std::string_view op, Done done, std::string reason = {});
// `about`: the user whose threads they read.
void RecordStaffAccess(Host& host, const threads::Caller& caller, std::string_view op,
                       const std::optional<protocol::UserId>& about,
                       std::function<void(protocol::Status)> then);

}  // namespace parley::features
