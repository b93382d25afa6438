// The rows of all ops of the core, and how to find one by its name.
//
// Thread contract: any thread.
#pragma once

#include <string_view>

#include "threads/run/operation.h"

namespace parley::threads {

// A list for each slice.
std::span<const Operations> CoreOperations();
// Returns nullptr if the core has no such op.
const Operation* FindOperation(std::string_view name);

}  // namespace parley::threads
