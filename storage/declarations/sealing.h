// Secret attributes (AttributeRule::secret) in the rows: sealed one by one, so that neither a copy of the
// store nor a table key yields them. Format: storage/FORMAT.md, "Sealed attributes".
//
// Pure functions, thread-safe.
#pragma once

#include <functional>
#include <optional>

#include "protocol/base/ids.h"
#include "storage/declarations/table_def.h"
#include "storage/sealing/sealer.h"

namespace parley::storage {

// Of each secret attribute that is open; one that is sealed already stays as it is. Equal values of one
// attribute of one item are sealed alike. REQUIRES: the item has its keys.
void SealSecrets(const TableDef& def, const protocol::TenantId& tenant, const Sealer& sealer, Item* item);
// False: some attribute was sealed with another key, or for another place, or is damaged; it is left as it
// is. What is not sealed stays as it is.
[[nodiscard]] bool OpenSecrets(const TableDef& def, const protocol::TenantId& tenant, const Sealer& sealer,
                               Item* item);
// As if the item had none.
void StripSecrets(const TableDef& def, Item* item);

// How each secret attribute is sealed: with which key; nullopt: it is open.
void ForEachSeal(const TableDef& def, const Item& item,
                 const std::function<void(const std::optional<SealingKeyId>&)>& visit);

}  // namespace parley::storage
