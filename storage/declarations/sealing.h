// Secret attributes (AttributeRule::secret) in the rows: sealed one by one, so that neither a copy of the
// store nor a table key yields them. Format: storage/README.md, "Sealed attributes".
//
// Pure functions, thread-safe.
#pragma once

#include <string_view>

#include "storage/declarations/table_def.h"

namespace parley::storage {

inline constexpr size_t kSealingKeyBytes = 32;

// Of each secret attribute that is open. Equal values of one attribute are sealed alike. REQUIRES: the key
// has kSealingKeyBytes.
void SealSecrets(const TableDef& def, std::string_view key, Item* item);
// False: some attribute was sealed with another key, or for another table or attribute, or is damaged; it is
// left as it is. What is not sealed stays as it is.
[[nodiscard]] bool OpenSecrets(const TableDef& def, std::string_view key, Item* item);
// As if the item had none.
void StripSecrets(const TableDef& def, Item* item);

}  // namespace parley::storage
