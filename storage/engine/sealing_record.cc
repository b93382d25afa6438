#include "storage/engine/sealing_record.h"

#include "storage/engine/item_keys.h"

namespace parley::storage {
namespace {

SortKey OneRecord() {
  return RecordKey("keys");
}

}  // namespace

PartitionKey SealingRecords() {
  return RecordPartition("sealing");
}

Status ReadSealingRecord(const Reader& reader, std::vector<SealingKeyId>* out) {
  out->clear();
  std::optional<Row> row;
  if (Status status = reader.Get(SealingRecords(), OneRecord(), &row); !status.ok()) return status;
  if (!row) {
    out->push_back(SealingKeyId::OfStore());
    return {};
  }
  if (row->payload.empty() || row->payload.size() % SealingKeyId::kSize != 0)
    return {StatusCode::kCorrupt, "the record of sealing keys cannot be read"};
  for (size_t at = 0; at < row->payload.size(); at += SealingKeyId::kSize)
    out->push_back({row->payload.substr(at, SealingKeyId::kSize)});
  return {};
}

Status WriteSealingRecord(Table& table, std::span<const SealingKeyId> keys) {
  std::string payload;
  for (const SealingKeyId& key : keys) payload += key.bytes;
  CommitRequest request{SealingRecords(), {}, {{OneRecord(), Row{1, std::move(payload)}}}, {}};
  std::vector<CommitResult> results;
  return table.Commit({&request, 1}, &results);
}

}  // namespace parley::storage
