// Every feature of the server. A new feature is a folder and a line in all.cc.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fanout/verify/verify.h"
#include "features/host/feature.h"
#include "threads/model/people.h"

namespace parley::features {

std::span<const Feature* const> AllFeatures();

// The blocks, sanctions and switches that reads of threads depend on.
std::unique_ptr<const threads::People> MakePeople(const CheckParts& parts);

// Every kind of row in the store, and how long it is kept.
std::vector<threads::Retention> AllRetentions();

// Verifies a store: the rows of the core and of every feature. See fanout::VerifyStore.
storage::Status VerifyStore(const storage::Table& table, protocol::Time now,
                            const std::function<void(const std::string&)>& differs,
                            fanout::VerifyReport* report);

}  // namespace parley::features
