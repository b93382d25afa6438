// Seals secret attributes (AttributeRule::secret) in the rows one by one, so that neither a copy of the store
// nor a table key reveals them. Format: storage/FORMAT.md, "Sealed attributes".
//
// Pure functions, thread-safe.
#pragma once

#include <functional>
#include <optional>

#include "protocol/base/ids.h"
#include "storage/declarations/table_def.h"
#include "storage/sealing/sealer.h"

namespace parley::storage {

// Seals each open secret attribute and leaves sealed ones unchanged. Equal values of one attribute of one
// item give equal bytes. REQUIRES: the item has its keys.
void SealSecrets(const TableDef& def, const protocol::TenantId& tenant, const Sealer& sealer, Item* item);
// Returns false if an attribute is damaged or was sealed with another key or for another place; it stays
// unchanged. Attributes that are not sealed stay unchanged, too.
[[nodiscard]] bool OpenSecrets(const TableDef& def, const protocol::TenantId& tenant, const Sealer& sealer,
                               Item* item);
// Removes them, as if the item had none.
void StripSecrets(const TableDef& def, Item* item);

// Visits each secret attribute's sealing key; nullopt if the attribute is open.
void ForEachSeal(const TableDef& def, const Item& item,
                 const std::function<void(const std::optional<SealingKeyId>&)>& visit);

}  // namespace parley::storage
