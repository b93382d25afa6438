// The record of the keys that values in this store may be sealed with. Written before a key is first used,
// and again when no value is left that another key sealed; only keys that it does not name may be forgotten.
// A store without the record is of an earlier version: its own secret sealed everything.
#pragma once

#include <span>
#include <vector>

#include "storage/sealing/sealing_key.h"
#include "storage/table.h"

namespace parley::storage {

PartitionKey SealingRecords();
Status ReadSealingRecord(const Reader& reader, std::vector<SealingKeyId>* out);
// REQUIRES: there is no other writer.
Status WriteSealingRecord(Table& table, std::span<const SealingKeyId> keys);

}  // namespace parley::storage
