// Carries out the effects of decided cases in threads: as commands of the thread's executor, each of which
// the thread applies once, and then records that they are done. After a crash the sweeper finds the rest.
//
// Thread contract: the host's thread, on which `then` is called, too.
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

// Reports whether all effects are done; the others stay recorded for the sweeper.
void CarryOut(Host& host, CaseWork work, std::function<void(bool)> then);

// Finds the waiting work of one tenant. Any thread.
std::vector<CaseWork> FindCaseWork(const storage::Reader& reader, const protocol::TenantId& tenant,
                                   protocol::Time now, const storage::Sealer& sealer, size_t limit);

}  // namespace parley::features
