// Checks the counts of uploads: the files of a thread add up to the bytes that its head counts, all
// incomplete uploads of a user to the level of its quota, and the files of a tenant to that of the tenant.
#pragma once

#include <memory>

#include "fanout/verify/facts.h"

namespace parley::features::facts {

std::unique_ptr<fanout::Facts> MakeQuotaFacts();

}  // namespace parley::features::facts
