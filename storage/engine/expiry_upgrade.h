// Items whose time to expire has a fraction were kept for ever by earlier versions, and have no place among
// those that expire. After an update each table in which such items may be gets its places once more; a
// record says when that was begun for all of them.
//
// Thread contract: the writer's thread.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "storage/engine/item_keys.h"
#include "storage/engine/item_stage.h"

namespace parley::storage {

class ExpiryUpgrade {
 public:
  explicit ExpiryUpgrade(const Catalog& catalog) : catalog_(catalog) {}
  // One slice. *worked: there is more to do at once.
  Status Step(ItemStage& stage, bool* worked);

 private:
  using Tables = std::vector<std::pair<TenantId, TableDefPtr>>;
  Status FindTables(const Reader& reader, Tables* out) const;
  Status Mark(ItemStage& stage);

  const Catalog& catalog_;
  bool done_ = false;
  std::optional<Tables> left_;  // to be marked, last first
};

SortKey FractionPlacesKey();  // among the records of the store (RecordPartition("store"))
// Whether the store's record says so: places of items with fractions are all there, or under way.
Status HasPlacesOfFractions(const Reader& reader, bool* out);

}  // namespace parley::storage
