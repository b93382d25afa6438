#include "storage/store_rows.h"

namespace parley::storage {
namespace {

std::string StoreKey(KeyWriter* sort) {
  return PartitionKey::OfStore().bytes() + sort->Bytes();
}

}  // namespace

std::string RowKeyBytes(const PartitionKey& partition, const SortKey& sort) {
  return partition.bytes() + sort.bytes();
}

std::string MetaKey() {
  return StoreKey(&KeyWriter().Tag(StoreTag::kMeta));
}
std::string ChangeLogKey(Position position) {
  return StoreKey(&KeyWriter().Tag(StoreTag::kChangeLog).Number(position));
}
std::string CursorKey(std::string_view projection) {
  return StoreKey(&KeyWriter().Tag(StoreTag::kCursor).Text(protocol::KeyText::UpToNul(projection)));
}
std::string TrimmedKey() {
  return StoreKey(&KeyWriter().Tag(StoreTag::kTrimmed));
}

std::optional<Position> ParseChangeLogKey(std::string_view physical) {
  const PartitionKey store = PartitionKey::OfStore();
  if (!physical.starts_with(store.bytes())) return std::nullopt;
  KeyReader reader(physical.substr(store.bytes().size()));
  Position position = 0;
  if (!reader.Tag(StoreTag::kChangeLog) || !reader.Number(&position) || !reader.AtEnd()) return std::nullopt;
  return position;
}

std::string EncodePosition(Position position) {
  return KeyWriter().Number(position).Bytes();
}
std::optional<Position> DecodePosition(std::string_view payload) {
  KeyReader reader(payload);
  Position position = 0;
  if (!reader.Number(&position) || !reader.AtEnd()) return std::nullopt;
  return position;
}

KeySpan SpanOf(const PartitionKey& partition, const SortRange& range) {
  return {RowKeyBytes(partition, range.begin),
          range.end.bytes().empty() ? UpperBound(partition.bytes()) : RowKeyBytes(partition, range.end)};
}

}  // namespace parley::storage
