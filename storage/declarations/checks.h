// What must hold in a declaration beyond its form: names that exist, types that agree, keys that can be told
// apart.
#pragma once

#include <string>
#include <vector>

#include "storage/declarations/object_reader.h"
#include "storage/declarations/table_def.h"

namespace parley::storage {

void CheckTable(const TableDef& def, const std::string& place, Faults* faults);
// Tables have names of their own, and so have access patterns, in all systems together.
void CheckNames(const std::vector<SystemDef>& systems, const std::string& place, Faults* faults);

}  // namespace parley::storage
