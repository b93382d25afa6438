// With which keys values in this store may be sealed. Written before a key is used for the first time, and
// again once no value is left that another sealed; so a key that it does not name may be forgotten, and no
// other. A store without the record is of an earlier version: its own secret sealed everything.
#pragma once

#include <span>
#include <vector>

#include "storage/sealing/sealing_key.h"
#include "storage/table.h"

namespace parley::storage {

PartitionKey SealingRecords();
Status ReadSealingRecord(const Reader& reader, std::vector<SealingKeyId>* out);
// REQUIRES: nobody else writes there meanwhile.
Status WriteSealingRecord(Table& table, std::span<const SealingKeyId> keys);

}  // namespace parley::storage
