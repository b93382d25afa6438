// The content of a table as text, so that tests can compare and print it; and shortcuts for requests.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/table.h"

namespace parley::storage {

PartitionKey ThreadPartition(std::string_view tenant, uint8_t number);
PartitionKey InboxPartition(std::string_view tenant, std::string_view user);
SortKey Sort(std::string_view text);  // the text's own bytes

// "b=2 a=1" for rows b and a with payloads 2 and 1, in the order visited; "error: …" when the scan failed.
std::string ScanText(const Reader& reader, const PartitionKey& partition,
                     const SortRange& range = SortRange::All(), Direction direction = Direction::kForward,
                     size_t limit = SIZE_MAX);
std::string GetText(const Reader& reader, const PartitionKey& partition,
                    std::string_view sort);                                            // "-" if missing
std::string LogText(const Table& table, Position after = 0, size_t limit = SIZE_MAX);  // "1:first 2:second"
Position CursorOf(const Table& table, std::string_view projection);

RowWrite Set(std::string_view sort, std::string_view payload, uint64_t version = 1);
RowWrite Delete(std::string_view sort);
Precondition Absent(std::string_view sort);
Precondition Present(std::string_view sort);
Precondition VersionIs(std::string_view sort, uint64_t version);

// Commits one request by itself; returns "ok", "ok@3" with a log position, "in the way: v2 payload", "in the
// way: nothing" or "error: …".
std::string CommitText(Table& table, const CommitRequest& request);
std::string CommitText(Table& table, const std::vector<CommitRequest>& requests);  // joined by ", "

}  // namespace parley::storage
