// What is told of users to everybody of their tenant: what they are called. Any thread.
#pragma once

#include <vector>

#include "accounts/records/records.h"
#include "protocol/ops/users.h"

namespace parley::accounts {

// In the order asked for, those included of whom there is no record. Of anybody else's tenant there is none.
protocol::Result<protocol::UserGet::Reply> NamesOf(const RecordReads& reads,
                                                   const std::vector<protocol::UserId>& users);

protocol::Result<bool> HasRecord(const RecordReads& reads, const protocol::UserId& user);

}  // namespace parley::accounts
