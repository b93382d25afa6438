// Checks a declaration beyond its syntax: names must exist, types must agree, and keys must be
// distinguishable.
#pragma once

#include <string>
#include <vector>

#include "storage/declarations/object_reader.h"
#include "storage/declarations/table_def.h"

namespace parley::storage {

inline constexpr size_t kGlobalIndexesMax = 20;
inline constexpr size_t kLocalIndexesMax = 5;

void CheckTable(const TableDef& def, const std::string& place, Faults* faults);
// Names of tables, and ids of access patterns, must be unique across all systems.
void CheckNames(const std::vector<SystemDef>& systems, const std::string& place, Faults* faults);

}  // namespace parley::storage
