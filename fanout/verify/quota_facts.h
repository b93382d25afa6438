// Checks the rows of quotas: each can be read, counts nothing in the future and no more than its tenant
// allows, belongs to an existing tenant, has its due row, and is removed some time after it was last needed.
#pragma once

#include <functional>
#include <string>

#include "protocol/base/time.h"
#include "storage/table.h"

namespace parley::fanout {

storage::Status CheckQuotas(const storage::Reader& snapshot, protocol::Time now,
                            const std::function<void(const std::string&)>& differs);

}  // namespace parley::fanout
