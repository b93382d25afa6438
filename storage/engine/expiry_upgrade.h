// Earlier versions never expired items whose expiry time has a fraction, and gave them no place among the
// expiring items. After an update, each table that may contain such items gets its places written again; a
// record notes when this was begun for all of them.
//
// Thread contract: the writer's thread.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "storage/engine/item_keys.h"
#include "storage/engine/item_transaction.h"

namespace parley::storage {

class ExpiryUpgrade {
 public:
  explicit ExpiryUpgrade(const Catalog& catalog) : catalog_(catalog) {}
  // Works on one slice. Sets *worked if there is more to do at once.
  Status Step(ItemTransaction& tx, bool* worked);

 private:
  using Tables = std::vector<std::pair<TenantId, TableDefPtr>>;
  Status FindTables(const Reader& reader, Tables* out) const;
  Status Mark(ItemTransaction& tx);

  const Catalog& catalog_;
  bool done_ = false;
  std::optional<Tables> left_;  // to be marked, last first
};

SortKey FractionPlacesKey();  // among the records of the store (RecordPartition("store"))
// Whether the store's record exists, that is, places of items with fractions are written or in progress.
Status HasPlacesOfFractions(const Reader& reader, bool* out);

}  // namespace parley::storage
