// What a tenant changes about a declared table that its back end keeps: indexes that it adds, and after what
// its items expire. The catalog has such a table as its own for this tenant (TableDef::owner tells it from
// one that the tenant made), with the rows of the declared one.
//
// Pure functions.
#pragma once

#include "storage/declarations/table_def.h"

namespace parley::storage {

// Indexes that a tenant adds have higher numbers than this, declared ones lower ones.
inline constexpr uint16_t kDeclaredIndexesMax = 0x8000;

inline bool IsChanged(const TableDef& def) {
  return def.owner != TableDef::Owner::kTenant && def.index_numbers >= kDeclaredIndexesMax;
}

// A declared table with what was decoded of a tenant's changes to it (catalog.h).
TableDefPtr WithChanges(const TableDef& declared, const TableDef& changes);

}  // namespace parley::storage
