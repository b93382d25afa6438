// Users' display names, which are public within their tenant. Any thread.
#pragma once

#include <vector>

#include "accounts/records/records.h"
#include "protocol/people.h"

namespace parley::accounts {

// In the order of the request, including users without a record. Users of other tenants have no names.
protocol::Result<protocol::List<protocol::UserName, protocol::kNamesAtOnce>> NamesOf(
    const RecordReads& reads, const std::vector<protocol::UserId>& users);

protocol::Result<bool> HasRecord(const RecordReads& reads, const protocol::UserId& user);

}  // namespace parley::accounts
