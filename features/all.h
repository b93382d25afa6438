// Every feature of the server. A new feature is a folder and a line in all.cc.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "fanout/verify/verify.h"
#include "features/host/feature.h"

namespace parley::features {

std::span<const Feature* const> AllFeatures();

// Verifies a store: the rows of the core and of every feature. See fanout::VerifyStore.
storage::Status VerifyStore(const storage::Table& table, protocol::Time now,
                            const std::function<void(const std::string&)>& differs,
                            fanout::VerifyReport* report);

}  // namespace parley::features
