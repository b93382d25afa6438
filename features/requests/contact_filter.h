// Users' conditions for first messages from strangers: one small item for each user with a filter. Users
// without a filter inherit the tenant's.
//
// Thread contract: reads and checks on any thread; decisions on the writer's.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accounts/records/records.h"
#include "features/requests/settings.h"
#include "protocol/base/ids.h"

namespace parley::features {

// Returns an empty filter if the user has none of their own.
protocol::Result<ContactFilter> FindContactFilter(const accounts::RecordReads& reads,
                                                  const protocol::UserId& user);
// Replaces the whole filter; an empty one removes the item. Adds the write; the decision commits.
protocol::Status PutContactFilter(accounts::RecordTransaction& tx, const protocol::UserId& user,
                                  const ContactFilter& filter);

// The known facts about the sender of a first message.
struct Sender {
  bool verified = false;
  int64_t age = 0;             // in years, at least; 0: unknown
  std::set<std::string> said;  // given fields, by name
};
// Names of the filter's own members, which cannot be fields.
bool IsPartOfFilter(std::string_view name);
// Returns the filter's conditions that the sender does not meet: each name once, with its fault.
std::vector<std::pair<std::string, std::string>> UnmetBy(const ContactFilter& filter, const Sender& sender);

}  // namespace parley::features
