// Lists the rows of all core ops, and finds a row by its name.
//
// Thread contract: any thread.
#pragma once

#include <string_view>

#include "threads/run/operation.h"

namespace parley::threads {

// One list per slice.
std::span<const Operations> CoreOperations();
// Returns nullptr if the core has no such op.
const Operation* FindOperation(std::string_view name);

}  // namespace parley::threads
