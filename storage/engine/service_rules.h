// Applies a declaration to the services' own writes (declarations/rules.h) when an item is decided: keys from
// templates, defaults and checks, derived attributes, versions and times, sealed secrets. Writes with a table
// key skip these rules.
//
// Thread contract: the writer's thread, except for functions without a transaction.
#pragma once

#include <string>
#include <string_view>

#include "storage/engine/item_change.h"
#include "storage/engine/item_transaction.h"

namespace parley::storage {

// Makes the key of an item by the templates of its kind.
MaybeFault ServiceKey(const TableDef& def, std::string_view kind, const Item& item, KeyValues* out);
// Opens the item's secrets, for services.
MaybeFault OpenItem(const TableDef& def, const TenantId& tenant, const Sealer& sealer, Item* item);
// Returns the item as it will be stored. `kind` may be empty if the keys in `in` identify it; `before`: open.
MaybeFault PrepareItem(const ItemTransaction& tx, const TenantId& tenant, const TableDef& def,
                       std::string_view kind, Item in, const Item* before, Item* out);

}  // namespace parley::storage
