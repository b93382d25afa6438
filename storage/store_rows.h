// The store's own rows: their keys and contents. Format: storage/FORMAT.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "storage/table.h"

namespace parley::storage {

// Physical keys.
std::string RowKeyBytes(const PartitionKey& partition, const SortKey& sort);
std::string MetaKey();
std::string ChangeLogKey(Position position);
std::string CursorKey(std::string_view projection);
std::string TrimmedKey();

// Returns nullopt if it is not the key of a change-log entry.
std::optional<Position> ParseChangeLogKey(std::string_view physical);

// The payload of a cursor row and of TRIMMED: eight bytes, big-endian.
std::string EncodePosition(Position position);
std::optional<Position> DecodePosition(std::string_view payload);

// The physical keys of `range` within `partition`, half-open. Empty if end <= begin.
struct KeySpan {
  std::string begin;
  std::string end;  // empty: no end
  bool empty() const { return !end.empty() && end <= begin; }
};
KeySpan SpanOf(const PartitionKey& partition, const SortRange& range);

}  // namespace parley::storage
