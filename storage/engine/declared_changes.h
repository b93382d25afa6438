// A tenant's changes to a declared table that its back end maintains: additional indexes, and the attribute
// by which items expire. The catalog keeps such a table as the tenant's own (TableDef::owner distinguishes it
// from one that the tenant created), with the rows of the declared one.
//
// Pure functions.
#pragma once

#include "storage/declarations/table_def.h"

namespace parley::storage {

// Indexes that a tenant adds have higher numbers than this; declared ones have lower numbers.
inline constexpr uint16_t kDeclaredIndexesMax = 0x8000;

inline bool IsChanged(const TableDef& def) {
  return def.owner != TableDef::Owner::kTenant && def.index_numbers >= kDeclaredIndexesMax;
}

// Applies a tenant's decoded changes (catalog.h) to a declared table.
TableDefPtr WithChanges(const TableDef& declared, const TableDef& changes);

}  // namespace parley::storage
