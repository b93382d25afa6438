// What a declaration asks of the services' own writes (declarations/rules.h), applied where items are
// decided: keys from templates, defaults and checks, derived attributes, versions and times, sealed secrets.
// What a table key writes does not pass here.
//
// Thread contract: the writer's thread, but for what takes no stage.
#pragma once

#include <string>
#include <string_view>

#include "storage/engine/item_change.h"
#include "storage/engine/item_stage.h"

namespace parley::storage {

// The key that a kind's templates make of an item's attributes.
MaybeFault ServiceKey(const TableDef& def, std::string_view kind, const Item& item, KeyValues* out);
// As a service sees it: with its secrets open.
MaybeFault OpenItem(const TableDef& def, const TenantId& tenant, const Sealer& sealer, Item* item);
// The item as it is to be stored. `kind` may be empty where the keys in `in` tell it; `before`: open.
MaybeFault PrepareItem(const ItemStage& stage, const TenantId& tenant, const TableDef& def,
                       std::string_view kind, Item in, const Item* before, Item* out);

}  // namespace parley::storage
