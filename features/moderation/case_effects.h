// Carries out in threads what was decided about cases (accounts/moderation): as commands of the thread's
// executor, each of which the thread does once, and then notes that they are done. What a crash leaves is
// found by the sweeper.
//
// Thread contract: the I/O thread's loop, on which `then` is called, too.
#pragma once

#include <functional>
#include <vector>

#include "features/host/host.h"
#include "features/moderation/case_item.h"

namespace parley::features {

struct CaseWork {
  protocol::TenantId tenant;
  protocol::CaseId id;
  std::vector<CaseEffect> effects;
};

// `then` is told whether all of it is done; what is not is left for later.
void CarryOut(Host& host, CaseWork work, std::function<void(bool)> then);

// Work that waits, of one tenant. Any thread.
std::vector<CaseWork> FindCaseWork(const storage::Reader& reader, const protocol::TenantId& tenant,
                                   protocol::Time now, const storage::Sealer& sealer, size_t limit);

}  // namespace parley::features
