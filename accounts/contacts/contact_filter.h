// What users ask of those who write to them first: one small item for each user who asks for anything.
// Whoever asks for nothing asks what the tenant's settings say.
//
// Thread contract: reads and the judgement on any thread; decisions on the writer's.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accounts/records/records.h"
#include "accounts/tenants/request_settings.h"
#include "protocol/base/ids.h"

namespace parley::accounts {

// Empty: they ask for nothing themselves.
protocol::Result<ContactFilter> FindContactFilter(const RecordReads& reads, const protocol::UserId& user);
// As a whole; an empty one takes the item away. Adds the write; the decision commits.
protocol::Status PutContactFilter(RecordStage& stage, const protocol::UserId& user,
                                  const ContactFilter& filter);

// What is known of the one who writes.
struct Sender {
  bool verified = false;
  int64_t age = 0;             // in years, at least; 0: not known
  std::set<std::string> said;  // by name
};
// Names that are no fields, as they are parts of the filter themselves.
bool IsPartOfFilter(std::string_view name);
// What the filter asks for and the sender does not meet: name, once each, and what is wrong with it.
std::vector<std::pair<std::string, std::string>> UnmetBy(const ContactFilter& filter, const Sender& sender);

}  // namespace parley::accounts
